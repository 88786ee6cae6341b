import type { Shown } from '../shown.ts'
import type { DashboardDataRequest, PanelData } from './schema.ts'
import type { Viewer } from './viewer.ts'

/** Reads the data of panels of a dashboard. */
export interface PanelReader {
  /** The answer of each panel that is asked for, also of those that failed. */
  readAll(shown: Shown, request: DashboardDataRequest, viewer: Viewer, signal: AbortSignal): Promise<PanelData[]>
}

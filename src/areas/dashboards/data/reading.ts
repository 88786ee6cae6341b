import type { Shown } from '../shown.ts'
import type { Panels } from './panels.ts'
import type { DashboardDataRequest, PanelData } from './schema.ts'
import type { Viewer } from './viewer.ts'

/** Reads panels for those who need their data rather than the text that is sent to viewers. */
export class PanelReader {
  readonly #panels: Panels

  constructor(panels: Panels) {
    this.#panels = panels
  }

  /** The answer of each panel that is asked for, also of those that failed. */
  async readAll(
    shown: Shown,
    { panels: ids, ...request }: DashboardDataRequest,
    viewer: Viewer,
    signal: AbortSignal
  ): Promise<PanelData[]> {
    const answers = await this.#panels.read(viewer, shown, request, ids, signal)
    return answers.map((answer) => this.#panels.dataOf(answer))
  }
}

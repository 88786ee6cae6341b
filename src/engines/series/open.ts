import type { Series } from './index.ts'

export interface SeriesSettings {
  /** `clickhouse://…`; undefined: the embedded engine. */
  readonly url: string | undefined
  /** Where the embedded engine keeps its files. */
  readonly folder: string
  /** Called with errors of background work, which will be tried again. */
  onFailure(error: Error): void
}

/** Loads the engine that the settings name, and not the other. */
export async function openSeries({ url, folder, onFailure }: SeriesSettings): Promise<Series> {
  if (url !== undefined) {
    const { openClickhouse } = await import('./clickhouse/index.ts')
    return openClickhouse({ url })
  }
  const { openDuckdb } = await import('./duckdb/index.ts')
  return openDuckdb({ folder, onFailure })
}

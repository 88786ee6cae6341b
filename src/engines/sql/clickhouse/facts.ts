import type { ClickhouseServer } from './server.ts'

/** What there is to know of a server before anything is asked of it. */
export interface Facts {
  /** For statements that read; a server refuses settings that it does not know, or that the user may not change. */
  readonly settings: Readonly<Record<string, string>>
  /** Types that this version knows. */
  readonly types: ReadonlySet<string>
}

const NOTICING = 'cancel_http_readonly_queries_on_client_close'

export async function readFacts(server: ClickhouseServer): Promise<Facts> {
  const found = await server.ask(`SELECT name, value FROM system.settings WHERE name IN ('readonly', '${NOTICING}')`)
  const known = new Map(found.split('\n').map((line) => line.split('\t') as [string, string]))
  const types = await server.ask('SELECT name FROM system.data_type_families')
  return {
    // A user who may only read can't set that, nor anything else. It is the last: nothing can be set after it.
    settings:
      known.get('readonly') !== '0' ? {} : { ...(known.has(NOTICING) ? { [NOTICING]: '1' } : {}), readonly: '1' },
    types: new Set(types.split('\n'))
  }
}

import type { ClickhouseServer } from './server.ts'

/** Facts about a server that are needed before the first statement. */
export interface Facts {
  /**
   * Settings for statements that read; a server refuses settings that it does not know, or that the user may not
   * change.
   */
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
    // A read-only user can't change this setting, nor any other. It comes last: after it nothing can be set.
    settings:
      known.get('readonly') !== '0' ? {} : { ...(known.has(NOTICING) ? { [NOTICING]: '1' } : {}), readonly: '1' },
    types: new Set(types.split('\n'))
  }
}

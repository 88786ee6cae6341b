import { type KeptSecrets, knownSource, type OpenSource } from '../../../../engines/drivers/index.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Source, SourceContext } from '../../contract/source.ts'
import { connected } from '../outside/faults.ts'
import type { GivenConnector } from '../sql/connector.ts'
import { RowReads, type Rows } from '../sql/reads.ts'
import { ChangeReads } from './changes.ts'
import type { StreamSourceConfig } from './source.ts'

export async function openStreamReads(context: SourceContext<StreamSourceConfig>): Promise<Source> {
  const { connector, stream } = context.config
  const source = connector && (await knownSource(connector.sourceId, connector.entry))
  if (connector === undefined || source === undefined)
    throw new NodeFault('fatal', 'connector_missing', 'The connector is of a source that is not known')
  const { packagesFolder, ticket } = connector
  const { gateway } = context
  const secrets: KeptSecrets = {
    current: (field) => gateway.currentSecret(ticket, field),
    replace: (...secret) => gateway.replaceSecret(ticket, ...secret)
  }
  const needs = { outbound: await context.outbound(), packagesFolder, secrets }
  const opened = await connected(() => source.driver.open(connector.config, source.facts, needs))
  if (context.config.changes === true) return new ChangeReads(context, opened)
  return new RowReads(
    { ...context, config: { ...context.config, table: stream } },
    rowsOf(opened, stream, connector.columns, (message) => context.log('warn', message))
  )
}

function rowsOf(
  opened: OpenSource,
  stream: string,
  known: GivenConnector['columns'],
  tell: (message: string) => void
): Rows {
  let told: string | undefined
  // A stream that is read again and again says the same again and again.
  const note = (message: string) => {
    if (message !== told) tell(message)
    told = message
  }
  return {
    read: ({ cursor, limit, signal }) =>
      opened.read({
        stream,
        known,
        note,
        signal: signal ?? new AbortController().signal,
        ...(cursor && { cursor }),
        ...(limit !== undefined && { limit })
      }),
    close: () => opened.close()
  }
}

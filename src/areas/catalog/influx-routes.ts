import type { Written } from '../../engines/series/index.ts'
import type { Intake } from '../../http/intake.ts'
import { GZIP } from '../../http/request-headers.ts'
import { type Context, ingest, type Route, read, StatusAnswer, type StreamFacts } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import { Problem } from './errors.ts'
import { INFLUX, INFLUX_AT_ROOT } from './influx-manners.ts'
import { OldWriteQuery, precisionOf, StatementQuery, StatementResult, WriteQuery } from './influx-schema.ts'
import type { SourceFinder } from './source-finder.ts'
import { databaseToCreate } from './statement.ts'
import { WRITE_ERRORS } from './write-routes.ts'
import type { Writes } from './writes.ts'

/** The version of InfluxDB whose old API is served at these paths. */
const PING_HEADERS = { 'x-influxdb-version': '1.8.10', 'x-influxdb-build': 'Millrace' }

const LINES: StreamFacts = {
  mediaType: 'text/plain',
  schema: { type: 'string', description: 'Line protocol, packed with gzip where `Content-Encoding` says so' },
  encodings: GZIP
}
const FORM: StreamFacts = {
  mediaType: 'application/x-www-form-urlencoded',
  schema: { type: 'object', properties: { q: { type: 'string', description: 'The statement' } } }
}

const ABOUT_LINES =
  'Takes the line protocol of InfluxDB from its clients as they are: `Authorization: Token <key>` or a `Bearer` token. Each field of a line is a point of the tag `<measurement>.<field>{<label>=<value>,…}`; a field called `value` is left out of the name. 204 means that all lines are durable. Where some are refused the others are written, and 400 counts both and lists those refused. Sending a write again is safe.'

interface Needs {
  readonly writes: Writes
  readonly finder: SourceFinder
  readonly intake: Intake
}

export function influxRoutes({ writes, finder, intake }: Needs): Route[] {
  async function writeLines(name: string, unit: string | undefined, context: Request): Promise<null> {
    const lines = { format: 'line', precision: precisionOf(unit) } as const
    const sourceId = await finder.byName(name)
    const written =
      sourceId === undefined
        ? await writes.writeFirst(context, lines, () => finder.made(name, context))
        : await writes.write(context, { ...lines, sourceId })
    if (written.rejected > 0) throw partialWrite(written)
    return null
  }

  const oldWrite = (operationId: string, foreign: typeof INFLUX) =>
    ingest(
      {
        path: '/write',
        operationId,
        summary: 'Write line protocol, as clients of InfluxDB 1 do',
        description: `${ABOUT_LINES} A user name with the key as password, and the parameters \`u\` and \`p\`, are understood too.`,
        permission: 'catalog:write',
        foreign,
        status: 204,
        query: OldWriteQuery,
        stream: LINES,
        answer: Nothing,
        errors: ['not_found', 'partial_write', ...WRITE_ERRORS]
      },
      (context) => writeLines(oldName(context.query), context.query.precision, context)
    )

  return [
    ingest(
      {
        path: '/v2/write',
        operationId: 'writeLines',
        summary: 'Write line protocol',
        description: ABOUT_LINES,
        permission: 'catalog:write',
        foreign: INFLUX,
        status: 204,
        query: WriteQuery,
        stream: LINES,
        answer: Nothing,
        errors: ['not_found', 'partial_write', ...WRITE_ERRORS]
      },
      (context) => writeLines(context.query.bucket, context.query.precision, context)
    ),
    oldWrite('writeLinesAsBefore', INFLUX),
    oldWrite('writeLinesAtRoot', INFLUX_AT_ROOT),
    ingest(
      {
        path: '/query',
        operationId: 'runStatement',
        summary: 'Make the database that clients of InfluxDB 1 are about to write to',
        description: 'Understands `CREATE DATABASE`, which makes a source, and nothing else.',
        permission: 'catalog:write',
        foreign: INFLUX_AT_ROOT,
        query: StatementQuery,
        stream: FORM,
        answer: StatementResult,
        errors: ['not_found', 'body_incomplete', 'series_busy']
      },
      async (context) => {
        const body = await intake.take(context, async (bytes) => Buffer.from(bytes).toString())
        await finder.made(databaseToCreate(context.query.q ?? new URLSearchParams(body).get('q') ?? ''), context)
        return { results: [{ statement_id: 0 }] }
      }
    ),
    read(
      {
        path: '/ping',
        operationId: 'ping',
        summary: 'Tell clients of InfluxDB that somebody is there',
        permission: 'public',
        foreign: INFLUX_AT_ROOT,
        status: 204,
        answer: Nothing,
        errors: ['rate_limited']
      },
      () => new StatusAnswer(204, null, PING_HEADERS)
    )
  ]
}

type Request = Pick<Context<unknown, unknown, unknown>, 'actor' | 'ip' | 'headers' | 'id' | 'raw'>

function oldName({ db, rp }: { readonly db: string; readonly rp?: string }): string {
  return rp === undefined || rp === '' || rp === 'autogen' ? db : `${db}/${rp}`
}

function partialWrite({ accepted, rejected, errors }: Written): Problem {
  const [first] = errors
  const detail = `partial write: ${rejected} of ${accepted + rejected} lines refused${first === undefined ? '' : `; line ${first.line}: ${first.message}`}`
  const members = { accepted, rejected, errors, ...(first !== undefined && { line: first.line }) }
  return new Problem('partial_write', { detail, members })
}

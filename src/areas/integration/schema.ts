import { AUTHENTICATIONS, CATEGORIES, type Entry, STEP_NAMES } from '../../engines/drivers/index.ts'
import { ListQuery, Page, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Nullable, OneOf } from '../../http/schemas.ts'
import { MASK } from '../../http/sealed-config.ts'
import { type Static, Type } from '../../http/type.ts'

export const SourceId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9-]+$',
  description: 'Id of a source'
})
const Category = OneOf(CATEGORIES, 'What people look for it under')
const Authentication = OneOf(AUTHENTICATIONS, 'How one signs in')

const Supports = Type.Object(
  {
    check: Type.Boolean({ description: 'Whether settings can be tested' }),
    discover: Type.Boolean({ description: 'Whether it tells what can be read' }),
    read: Type.Boolean({ description: 'Whether it can be read' }),
    incremental: Type.Boolean({ description: 'Whether reading can go on where it ended' }),
    changes: Type.Boolean({ description: 'Whether changes can be read from its log, deletes among them' })
  },
  { description: 'What works with it' }
)

const facts = {
  id: SourceId,
  name: Type.String({ description: 'What it is called' }),
  category: Category,
  authentication: Authentication,
  hint: Type.String({ description: 'What to know before connecting one' }),
  documentationUrl: Type.String({ description: 'The documentation of its makers' }),
  experimental: Type.Boolean({
    description:
      'Whether no test of ours runs against a real one: it speaks the protocol of one that they do run against, or as its makers document it'
  }),
  supports: Supports,
  own: Type.Boolean({ description: 'Whether somebody has added it here, rather than that it is shipped' })
}

const SOURCE_EXAMPLE = {
  id: 'postgres',
  name: 'PostgreSQL',
  category: 'databases',
  authentication: 'password',
  hint: 'A user with SELECT on the tables is enough. Reads run in read-only transactions.',
  documentationUrl: 'https://www.postgresql.org/docs/current/',
  experimental: false,
  supports: { check: true, discover: true, read: true, incremental: true, changes: true },
  own: false
} as const

export const Source = Type.Object(facts, { $id: 'IntegrationSource', examples: [SOURCE_EXAMPLE] })
export type Source = Static<typeof Source>

const DeclaredStream = Type.Object({
  name: Type.String(),
  readable: Type.Boolean({ description: 'Whether it can be read' }),
  incremental: Type.Boolean({ description: 'Whether reading can go on where it ended' }),
  note: Nullable(Type.String({ description: 'Why it can’t be read, or what is not certain about it' }))
})

export const SourceSpec = Type.Object(
  {
    ...facts,
    connectionSpecification: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'The configuration as JSON Schema (draft 2020-12); what is secret is `writeOnly`'
    }),
    streams: Nullable(
      Type.Array(DeclaredStream, { description: 'What can be read; null where that is discovered with a connector' })
    )
  },
  {
    $id: 'IntegrationSourceSpec',
    examples: [
      {
        ...SOURCE_EXAMPLE,
        connectionSpecification: { type: 'object', required: ['host'], properties: { host: { type: 'string' } } },
        streams: null
      }
    ]
  }
)
export type SourceSpec = Static<typeof SourceSpec>

export const SourceParams = Params('integration-source', 'id', { id: Type.String({ maxLength: 100 }) })
export const SourceQuery = ListQuery(['name'], {
  q: Search,
  category: Type.Optional(Category),
  auth: Type.Optional(Authentication),
  supports: Type.Optional(
    OneOf(['check', 'discover', 'read', 'incremental', 'changes'], 'Only those with which this works')
  )
})
export type SourceQuery = Static<typeof SourceQuery>
export const SourcePage = Page('sources', Source)

export const ConfigBody = Type.Unsafe<Readonly<Record<string, unknown>>>({
  description: 'An object as its source says, see `GET /api/integration/sources/{id}/spec`'
})

const Check = Type.Object({
  name: OneOf(STEP_NAMES, 'What was tried'),
  ok: Type.Boolean(),
  ms: Type.Integer({ minimum: 0, description: 'How long it took' }),
  code: Nullable(Type.String({ description: 'Why it failed or was left out; null where it worked' })),
  pointer: Nullable(Type.String({ description: 'The field of the configuration that is at fault' })),
  message: Type.String({ description: 'What was found, and what to change' })
})

export const ConnectionTest = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether everything that reading needs works' }),
    message: Type.String({ description: 'What works, or which step failed and what to change' }),
    checks: Type.Array(Check, {
      description: `In the order they were made: ${STEP_NAMES.map((name) => `\`${name}\``).join(', ')}`
    }),
    grants: Type.Array(Type.String(), {
      description: 'Where a right is missing: statements for an administrator to run, which give what reading needs'
    })
  },
  {
    $id: 'ConnectionTest',
    examples: [
      {
        success: false,
        message: 'The step connect failed: Nothing accepts connections at port 5433; check the port, and that it is up',
        checks: [
          { name: 'resolve', ok: true, ms: 2, code: null, pointer: null, message: 'db.plant.example has an address' },
          {
            name: 'connect',
            ok: false,
            ms: 1,
            code: 'unreachable',
            pointer: '/port',
            message: 'Nothing accepts connections at port 5433; check the port, and that it is up'
          }
        ],
        grants: []
      }
    ]
  }
)
export type ConnectionTest = Static<typeof ConnectionTest>

export const ConnectionTestRequest = Closed(
  { sourceId: SourceId, config: ConfigBody },
  {
    $id: 'ConnectionTestRequest',
    description: `What a connector would be made from; nothing of it is kept. A secret is the secret itself, not \`${MASK}\`.`
  }
)
export type ConnectionTestRequest = Static<typeof ConnectionTestRequest>

/** As `resources/integration-sources` has it; what is wrong with one is told by its own check, which says where. */
export const EntryBody = Type.Unsafe<Readonly<Record<string, unknown>>>({
  description: 'An object: a source in the form that docs/integration.md explains'
})

export const OwnSource = Type.Unsafe<Entry & OwnStamps>({
  $id: 'OwnIntegrationSource',
  type: 'object',
  additionalProperties: true,
  required: ['id', 'name', 'category', 'streams', 'own'],
  properties: {
    id: SourceId,
    name: { type: 'string' },
    category: Category,
    streams: { type: 'object', additionalProperties: true },
    own: { type: 'boolean', description: 'Whether somebody has added it here; one that is shipped has no version' },
    version: { type: 'integer', minimum: 1 },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' }
  },
  description: 'A source in the form in which it was sent, or in which it is shipped'
})
export type OwnSource = Static<typeof OwnSource>

interface OwnStamps {
  readonly own: boolean
  readonly version?: number
  readonly createdAt?: string
  readonly updatedAt?: string
}

import { Params } from '../../../http/params.ts'
import { Closed, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Panel, Variable } from '../model/schema.ts'
import { MAX_PANELS, MAX_VARIABLES } from '../model/words.ts'
import type { Failure } from './failure.ts'

/** As many points of a series as the widest screens have columns, unless a viewer asks for less or more. */
export const DEFAULT_MAX_POINTS = 1000
const MAX_POINTS = 10_000
/** Rows that a panel of SQL can have. */
export const MAX_ROWS = 10_000

const Time = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${what}: ${TIME_FORM}` }))

export const ChosenValues = Type.Unsafe<Readonly<Record<string, string | readonly string[]>>>({
  type: 'object',
  maxProperties: MAX_VARIABLES,
  patternProperties: {
    '^[A-Za-z][A-Za-z0-9_]{0,63}$': {
      anyOf: [
        { type: 'string', maxLength: 1000 },
        { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 1000 } }
      ]
    }
  },
  additionalProperties: false,
  description: 'What is chosen of each variable, by name; its default if not said'
})
export type ChosenValues = Static<typeof ChosenValues>

const MaxPoints = Type.Optional(
  Type.Integer({
    minimum: 10,
    maximum: MAX_POINTS,
    description: `Of each series at most so many points, such as the width of the picture; ${DEFAULT_MAX_POINTS} if not said`
  })
)

export const asked = {
  from: Time('From then on, in place of the time range of the dashboard'),
  to: Time('Up to then'),
  variables: Type.Optional(ChosenValues),
  maxPoints: MaxPoints
}

export const PanelDataRequest = Closed(asked, { $id: 'DashboardPanelDataRequest' })
export type PanelDataRequest = Static<typeof PanelDataRequest>

/** How long a request for several panels waits, if it does not say. */
export const DEFAULT_WAIT_MS = 10_000
const MIN_WAIT_MS = 100
const MAX_WAIT_MS = 60_000

export const DashboardDataRequest = Closed(
  {
    panels: Type.Optional(
      Type.Array(Type.String({ maxLength: 40 }), {
        maxItems: MAX_PANELS,
        uniqueItems: true,
        description: 'Identifiers of the panels; all if not said'
      })
    ),
    ...asked,
    waitMs: Type.Optional(
      Type.Integer({
        minimum: MIN_WAIT_MS,
        maximum: MAX_WAIT_MS,
        description: `After so long the answer comes with the panels that are there, and the others are \`pending\`; ${DEFAULT_WAIT_MS} if not said`
      })
    )
  },
  { $id: 'DashboardDataRequest' }
)
export type DashboardDataRequest = Static<typeof DashboardDataRequest>

export const COLUMN_TYPES = ['time', 'number', 'boolean', 'text', 'json'] as const

export const Frame = Type.Object(
  {
    name: Type.String({
      description: 'What a legend calls it: the tag of a series, the texts of its rows, else empty'
    }),
    labels: Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Labels of the tag of a series, or the texts of its rows by column'
    }),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: OneOf(
          COLUMN_TYPES,
          'What its values are; times are ISO 8601 UTC, exact numbers that JSON can’t hold texts'
        ),
        unit: Nullable(Type.String())
      })
    ),
    values: Type.Unsafe<readonly (readonly unknown[])[]>({
      type: 'array',
      items: { type: 'array' },
      description: 'The values of each column, in the order of the columns'
    })
  },
  { $id: 'DashboardFrame', description: 'Columns of equal length' }
)
export type Frame = Static<typeof Frame>

export const PanelData = Type.Object(
  {
    panelId: Type.String(),
    /** Of a panel that is drawn several times: the value that this one is for. */
    repeatValue: Nullable(Type.String({ description: 'Of a panel that is repeated: the value this one is for' })),
    status: OneOf(
      ['ok', 'error', 'pending'],
      'Whether there is an answer; an error of one panel is none of the others. What is pending is still being read: ask again for it'
    ),
    pendingSince: Type.Optional(Timestamp('Of what is pending: since when it is being read')),
    error: Type.Unsafe<Failure | null>({
      type: ['object', 'null'],
      required: ['code', 'detail'],
      properties: {
        code: {
          type: 'string',
          description:
            'An error code of the API, or of what reads data: `sql_error`, `sql_refused`, `too_large`, `out_of_memory`, …'
        },
        detail: { type: 'string', description: 'What is wrong, for people' },
        pointer: { type: 'string', description: 'The field that is to blame, within the panel or the variable' },
        position: {
          type: 'object',
          description: 'The place in the SQL that is to blame, from 1',
          required: ['line', 'column'],
          properties: { line: { type: 'integer' }, column: { type: 'integer' } }
        }
      },
      description: 'Why there is none'
    }),
    from: Nullable(Timestamp('The time that was meant')),
    to: Nullable(Timestamp('The time that was meant')),
    frames: Type.Array(Frame),
    readAt: Timestamp('When the data were read'),
    ageMs: Type.Integer({ minimum: 0, description: 'How long ago that is' }),
    reduced: Type.Unsafe<{ from: number; to: number } | null>({
      type: ['object', 'null'],
      required: ['from', 'to'],
      properties: { from: { type: 'integer' }, to: { type: 'integer' } },
      description: 'Where points were left out for the picture: how many there were and are'
    }),
    truncated: Type.Boolean({ description: 'Whether there are more rows than a panel can have' }),
    masked: Type.Array(Type.String(), { description: 'Names of relations of which the viewer may not see everything' })
  },
  { $id: 'DashboardPanelData' }
)
export type PanelData = Static<typeof PanelData>

export const DashboardData = Type.Object({ panels: Type.Array(PanelData) }, { $id: 'DashboardData' })

export const PanelParams = Params('dashboard', 'id', {
  id: Type.String({ maxLength: 64 }),
  panelId: Type.String({ maxLength: 40 })
})

/** As in a body, but that an address has texts only. */
const inAddress = {
  from: asked.from,
  to: asked.to,
  variables: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: 'What is chosen of each variable, as a JSON object: `{"line": "2", "shifts": ["early", "late"]}`'
    })
  ),
  maxPoints: asked.maxPoints
}

export const PanelDataQuery = Closed(inAddress)
export const LiveQuery = Closed({
  panels: Type.Optional(
    Type.String({
      maxLength: 8200,
      pattern: '^[A-Za-z0-9_-]{1,40}(,[A-Za-z0-9_-]{1,40})*$',
      description: 'Identifiers of the panels, with commas; all if not said'
    })
  ),
  ...inAddress
})
export type LiveQuery = Static<typeof LiveQuery>

export const PreviewRequest = Closed(
  {
    panel: Panel,
    definitions: Type.Optional(
      Type.Array(Variable, { maxItems: MAX_VARIABLES, description: 'The variables that the panel can name' })
    ),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
        description: '`UTC` if not said'
      })
    ),
    ...asked
  },
  { $id: 'DashboardPreviewRequest' }
)
export type PreviewRequest = Static<typeof PreviewRequest>

const { from, to, variables } = asked
export const VariablesRequest = Closed({ from, to, variables }, { $id: 'DashboardVariablesRequest' })
export type VariablesRequest = Static<typeof VariablesRequest>

const VariableFailure = PanelData.properties.error

export const VariableChoices = Type.Object(
  {
    variables: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String({ description: 'What people read' }),
        options: Type.Array(Type.Object({ value: Type.String(), label: Type.String() }), {
          description: 'What can be chosen, with what was chosen of the variables before'
        }),
        chosen: Type.Array(Type.String(), { description: 'What is chosen now' }),
        truncated: Type.Boolean({ description: 'Whether more can be chosen than are listed' }),
        error: VariableFailure
      })
    )
  },
  { $id: 'DashboardVariableChoices' }
)

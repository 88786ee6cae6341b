import { Closed, Nullable, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { content } from '../model/schema.ts'
import { Dashboard, DashboardFile } from '../schema.ts'
import type { DataSourceMap } from './data-sources.ts'
import { OUTCOMES } from './report.ts'

const only = (field: string, schema: object) => ({
  type: 'object',
  required: [field],
  properties: { [field]: schema },
  additionalProperties: false
})
const reference = { type: 'string', minLength: 1, maxLength: 2048 }

const DataSourcesGiven = Type.Unsafe<DataSourceMap>({
  type: 'object',
  maxProperties: 200,
  additionalProperties: {
    anyOf: [
      only('sourceId', { type: 'string', minLength: 1, maxLength: 200 }),
      only('reference', reference),
      only('references', {
        type: 'object',
        minProperties: 1,
        maxProperties: 500,
        patternProperties: { '^.{1,63}$': reference },
        additionalProperties: false
      })
    ],
    'x-expected': 'an object with sourceId, reference or references'
  },
  description:
    'What a data source of Grafana is here, by its uid, name or type; `default` is the one that panels have without naming any. `sourceId` for points, `reference` for one table, `references` by the names of the tables.'
})

export const GrafanaImport = Closed({
  dashboard: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    description: 'The JSON of a dashboard of Grafana, versions 4 to 12, plain, as its API answers, or as a resource'
  }),
  dataSources: Type.Optional(DataSourcesGiven),
  folder: Type.Optional(content.folder)
})
export type GrafanaImport = Static<typeof GrafanaImport>

const Told = Type.Array(Type.String(), { description: 'What is different from Grafana, and why' })
const Outcome = OneOf(OUTCOMES, 'What has become of it')

export const GrafanaReport = Type.Object(
  {
    panels: Type.Array(
      Type.Object({
        title: Type.String(),
        grafanaType: Type.String({ description: 'What Grafana calls its type' }),
        id: Nullable(Type.String({ description: 'The panel that it has become; null where it was left out' })),
        outcome: Outcome,
        notes: Told
      })
    ),
    variables: Type.Array(Type.Object({ name: Type.String(), outcome: Outcome, notes: Told })),
    dashboard: Type.Array(Type.String(), { description: 'What belongs to no panel and no variable' })
  },
  { $id: 'GrafanaReport' }
)

export const GrafanaImported = Type.Object({ dashboard: Dashboard, report: GrafanaReport }, { $id: 'GrafanaImported' })
export type GrafanaImported = Static<typeof GrafanaImported>

export const GrafanaPreview = Type.Object(
  { dashboard: DashboardFile, report: GrafanaReport },
  { $id: 'GrafanaPreview' }
)
export type GrafanaPreview = Static<typeof GrafanaPreview>

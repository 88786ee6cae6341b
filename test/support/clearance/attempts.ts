import type { CallOptions } from '../app.ts'
import type { Secret } from './world.ts'

/** What somebody without clearance gets: nothing, an answer with masks, or an answer in which no data are. */
export type Outcome = 'refused' | 'masked' | 'none'

export interface Attempt {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** The role that asks, which has the permission and not the clearance; undefined asks without a token. */
  readonly as: 'viewer' | 'editor' | undefined
  /** Of events that never end: the panels, or the messages of a log, that are waited for. */
  readonly follows?: readonly string[]
  readonly confidential: Outcome
  readonly restricted: Outcome
}

type Asking = Pick<Attempt, 'method' | 'path' | 'body' | 'headers' | 'as' | 'follows'>

const refused = (asking: Asking): Attempt => ({ ...asking, confidential: 'refused', restricted: 'refused' })
const masked = (asking: Asking): Attempt => ({ ...asking, confidential: 'masked', restricted: 'refused' })
/** Masked, or told to be refused where they would be shown, beside something else. */
const maskedBeside = (asking: Asking): Attempt => ({ ...asking, confidential: 'masked', restricted: 'none' })
/** Shown beside something else, from which they are left out. */
const without = (asking: Asking): Attempt => ({ ...asking, confidential: 'none', restricted: 'none' })

const get = (path: string, headers?: Record<string, string>): Asking => {
  return { method: 'GET', path, as: 'viewer', ...(headers && { headers }) }
}
const ask = (path: string, body?: unknown, headers?: Record<string, string>): Asking => {
  return { method: 'POST', path, as: 'viewer', body, ...(headers && { headers }) }
}
const post = (path: string, body?: unknown): Asking => ({ method: 'POST', path, as: 'editor', body })
const put = (path: string, body: unknown): Asking => ({ method: 'PUT', path, as: 'editor', body })

export const dashboardPanel = (id: string, query: object) => ({
  id,
  title: id,
  type: 'table',
  query,
  position: { x: 0, y: 0, w: 12, h: 8 }
})

type Attempts = (secret: Secret) => readonly Attempt[]

const pipelineNodes = ({ object }: Secret) => [
  { id: 'in', type: 'file', config: { reference: object } },
  { id: 'out', type: 'object', config: { bucket: 'open', prefix: 'leak/', format: 'csv' }, inputs: ['in'] }
]
/** Records that a stored rule is asked of. */
export const gateNodes = (ruleId: string) => [
  { id: 'in', type: 'generate', config: { count: 1, fields: { email: "'nobody'" } } },
  { id: 'gate', type: 'quality', config: { ruleIds: [ruleId] }, inputs: ['in'] },
  { id: 'out', type: 'object', config: { bucket: 'open', prefix: 'gate/', format: 'csv' }, inputs: ['gate'] }
]
const withoutGate = ({ formRuleId }: Secret) => {
  const [source, , sink] = gateNodes(formRuleId)
  return [source, { ...sink, inputs: ['in'] }]
}
const scheduleTarget = ({ object }: Secret) => ({
  type: 'sql',
  config: {
    sql: 'FROM people',
    relations: { people: object },
    into: { bucket: 'open', key: 'leak.csv', format: 'csv' }
  }
})
const alertCondition = ({ object }: Secret) => ({
  reference: object,
  sql: 'SELECT email, 1 AS value FROM input',
  operator: '>',
  threshold: 0
})

/** Every operation that gives data out, or has them read or opened for the caller, with all ways to try it. */
export const ATTEMPTS: Readonly<Record<string, Attempts>> = {
  downloadObject: ({ bucket }) => [
    refused(get(`/buckets/${bucket}/objects/people.csv`)),
    refused(get(`/buckets/${bucket}/objects/people.csv`, { range: 'bytes=0-99' })),
    refused({ ...get(`/buckets/${bucket}/objects/people.csv`), as: 'editor' })
  ],
  getObjectUrl: ({ bucket }) => [refused(get(`/buckets/${bucket}/objects/people.csv/url`))],
  createLink: ({ bucket }) => [refused(post(`/buckets/${bucket}/links`, { key: 'people.csv' }))],
  useLink: ({ linkUrl }) => [
    refused({ method: 'GET', path: linkUrl.replace(/^.*?\/api/, ''), as: undefined }),
    refused({ method: 'HEAD', path: linkUrl.replace(/^.*?\/api/, ''), as: undefined })
  ],
  copyObject: ({ bucket }) => [
    refused(post('/buckets/open/copies', { fromBucket: bucket, fromKey: 'people.csv', key: 'leak.csv' }))
  ],
  queryCatalog: ({ sourceId }) => {
    const query = { sourceId, startTime: '-1h' }
    return [
      refused(ask('/catalog/query', query)),
      refused(ask('/catalog/query', { ...query, tags: ['who.note'] })),
      refused(ask('/catalog/query', { ...query, aggregation: '1h', function: 'last' })),
      refused(ask('/catalog/query', query, { accept: 'text/csv' })),
      refused(ask('/catalog/query', query, { accept: 'application/vnd.apache.arrow.stream' }))
    ]
  },
  listTags: ({ sourceId }) => [without(get(`/catalog/sources/${sourceId}/tags`))],
  getTag: ({ sourceId }) => [without(get(`/catalog/sources/${sourceId}/tags/who.note`))],
  updateTag: ({ sourceId }) => [without(put(`/catalog/sources/${sourceId}/tags/who.note`, { description: 'x' }))],
  updateSource: ({ sourceId }) => [refused(put(`/catalog/sources/${sourceId}`, { classification: null }))],
  getPipelineData: ({ pipelineId }) => [
    masked(get(`/pipelines/${pipelineId}/data`)),
    masked(get(`/pipelines/${pipelineId}/data?columns=email`))
  ],
  previewPipeline: ({ formRuleId, qualityRuleId }) =>
    [formRuleId, qualityRuleId].map((id) =>
      refused(post('/pipelines/preview', { nodes: gateNodes(id), samples: { in: [{ email: 'nobody' }] } }))
    ),
  listDeadLetters: ({ pipelineId, gateId }) => [
    masked(get(`/pipelines/${gateId}/dead-letters`)),
    masked(get(`/pipelines/${pipelineId}/dead-letters`)),
    masked(get(`/pipelines/${pipelineId}/dead-letters`, { accept: 'text/csv' })),
    masked(get(`/pipelines/${pipelineId}/dead-letters`, { accept: 'application/x-ndjson' }))
  ],
  summarizeDeadLetters: ({ pipelineId, gateId }) =>
    [pipelineId, gateId].map((id) => masked(get(`/pipelines/${id}/dead-letters/summary`))),
  tryReplay: ({ pipelineId, gateId }) =>
    [pipelineId, gateId].map((id) => refused(post(`/pipelines/${id}/dead-letters/try`))),
  replayDeadLetters: ({ pipelineId, gateId }) =>
    [pipelineId, gateId].map((id) => refused(post(`/pipelines/${id}/dead-letters/replay`))),
  followPipelineLogs: ({ pipelineId }) => [
    masked(get(`/pipelines/${pipelineId}/logs`, { accept: 'application/json' })),
    masked({ ...get(`/pipelines/${pipelineId}/logs`), follows: ['********'] })
  ],
  getPipeline: ({ pipelineId }) => [without(get(`/pipelines/${pipelineId}`))],
  listPipelineRuns: ({ pipelineId }) => [without(get(`/pipelines/${pipelineId}/runs`))],
  getPipelineRun: ({ pipelineId, runId }) => [without(get(`/pipelines/${pipelineId}/runs/${runId}`))],
  createPipeline: (secret) =>
    [pipelineNodes(secret), gateNodes(secret.formRuleId)].map((nodes) =>
      refused(post('/pipelines', { name: 'leak', nodes }))
    ),
  importPipeline: (secret) => [refused(post('/pipelines/import', { name: 'leak', nodes: pipelineNodes(secret) }))],
  updatePipeline: (secret) => [
    refused(put(`/pipelines/${secret.pipelineId}`, { nodes: pipelineNodes(secret) })),
    // Without the rule, it would be hidden no more why records were refused.
    refused(put(`/pipelines/${secret.gateId}`, { nodes: withoutGate(secret) })),
    refused(put(`/pipelines/${secret.gateId}`, { description: 'mine' }))
  ],
  duplicatePipeline: ({ pipelineId }) => [refused(post(`/pipelines/${pipelineId}/duplicate`, { name: 'leak' }))],
  deletePipeline: ({ pipelineId }) => [
    refused({ method: 'DELETE', path: `/pipelines/${pipelineId}`, as: 'editor' }),
    refused({ method: 'DELETE', path: `/pipelines/${pipelineId}?force=true`, as: 'editor' })
  ],
  startPipeline: ({ pipelineId, gateId }) => [pipelineId, gateId].map((id) => refused(post(`/pipelines/${id}/start`))),
  inferSchema: ({ object, sourceId }) => [
    { ...masked(ask('/schemas/infer', { reference: object, type: 'json' })), confidential: 'none' },
    { ...masked(ask('/schemas/infer', { reference: `series://${sourceId}`, type: 'avro' })), confidential: 'none' }
  ],
  suggestClassification: ({ object }) => [refused(post('/classification/suggestions', { resource: object }))],
  classifyResource: ({ level, bucket }) => [
    refused(
      post('/classification/resources', {
        resource: level === 'restricted' ? { type: 'bucket', id: bucket } : `object://${bucket}/**`,
        columns: level === 'restricted' ? [] : ['email'],
        level: 'public'
      })
    )
  ],
  unclassifyResource: ({ labelId }) => [
    refused({ method: 'DELETE', path: `/classification/resources/${labelId}`, as: 'editor' })
  ],
  updateLineageLink: ({ lineageLinkId }) => [refused(put(`/lineage/links/${lineageLinkId}`, { columns: [] }))],
  deleteLineageLink: ({ lineageLinkId }) => [
    refused({ method: 'DELETE', path: `/lineage/links/${lineageLinkId}`, as: 'editor' })
  ],
  listClassificationScans: () => [without(get('/classification/scans'))],
  createQualityRule: ({ object: dataset }) => [
    refused(post('/quality/rules', { name: 'leak', dataset, type: 'notNull', config: { column: 'email' } }))
  ],
  checkNewQualityRule: ({ object: dataset }) => [
    refused(post('/quality/rules/check', { name: 'leak', dataset, type: 'notNull', config: { column: 'email' } }))
  ],
  checkChangedQualityRule: ({ qualityRuleId }) => [
    refused(post(`/quality/rules/${qualityRuleId}/check`, { name: 'leak' }))
  ],
  listQualityRules: () => [without(get('/quality/rules'))],
  getQualityRule: ({ qualityRuleId }) => [without(get(`/quality/rules/${qualityRuleId}`))],
  updateQualityRule: ({ qualityRuleId }) => [refused(put(`/quality/rules/${qualityRuleId}`, { name: 'leak' }))],
  evaluateQualityRule: ({ qualityRuleId }) => [refused(post(`/quality/rules/${qualityRuleId}/evaluate`))],
  evaluateQuality: ({ object: dataset }) => [refused(post('/quality/evaluate', { dataset }))],
  profileQuality: ({ object: dataset }) => [refused(post('/quality/profile', { dataset }))],
  createQualityBaseline: ({ object: dataset }) => [refused(post('/quality/baselines', { dataset, column: 'email' }))],
  listQualityBaselines: () => [without(get('/quality/baselines'))],
  getQualityBaseline: ({ qualityBaselineId }) => [without(get(`/quality/baselines/${qualityBaselineId}`))],
  listQualityResults: () => [without(get('/quality/results'))],
  getQualityResult: ({ qualityResultId }) => [without(get(`/quality/results/${qualityResultId}`))],
  createAlertRule: (secret) => [refused(post('/alerts/rules', { name: 'leak', condition: alertCondition(secret) }))],
  updateAlertRule: ({ alertRuleId }) => [refused(put(`/alerts/rules/${alertRuleId}`, { channels: [] }))],
  previewAlertRule: (secret) => [
    refused(post('/alerts/rules/preview', { condition: alertCondition(secret) })),
    refused(
      post('/alerts/rules/preview', {
        condition: { sourceId: secret.sourceId, tag: '*', function: 'count', window: '5m', operator: '>', threshold: 0 }
      })
    )
  ],
  listAlertInstances: ({ alertRuleId }) => [without(get(`/alerts/rules/${alertRuleId}/instances`))],
  listAlerts: () => [without(get('/alerts/history'))],
  getAlert: ({ alertId }) => [without(get(`/alerts/history/${alertId}`))],
  listAlertDeliveries: () => [without(get('/alerts/deliveries'))],
  getAlertDelivery: ({ alertDeliveryId }) => [without(get(`/alerts/deliveries/${alertDeliveryId}`))],
  createSchedule: (secret) => [
    refused(
      post('/scheduler/schedules', {
        name: 'leak',
        cron: '0 3 * * *',
        timeZone: 'UTC',
        target: scheduleTarget(secret)
      })
    )
  ],
  updateSchedule: ({ scheduleId }) => [refused(put(`/scheduler/schedules/${scheduleId}`, { description: 'mine' }))],
  runSchedule: ({ scheduleId }) => [refused(post(`/scheduler/schedules/${scheduleId}/run`))],
  resumeSchedule: ({ scheduleId }) => [refused(post(`/scheduler/schedules/${scheduleId}/resume`))],
  backfillSchedule: ({ scheduleId }) => [
    refused(
      post(`/scheduler/schedules/${scheduleId}/backfill`, {
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-01-02T00:00:00.000Z'
      })
    )
  ],
  listScheduleRuns: ({ scheduleId }) => [without(get(`/scheduler/schedules/${scheduleId}/history`))],
  getScheduleRun: ({ scheduleId, scheduleRunId }) => [
    without(get(`/scheduler/schedules/${scheduleId}/history/${scheduleRunId}`))
  ],
  listAllScheduleRuns: () => [without(get('/scheduler/history'))],
  readConnector: ({ connectorId, level }) => [
    masked(ask(`/connectors/${connectorId}/read`, { stream: `${level}.people` })),
    masked({ ...ask(`/connectors/${connectorId}/read`, { stream: `${level}.people`, limit: 1 }), as: 'editor' })
  ],
  // What a level refuses is told at its panel, beside the others.
  getDashboardPanelData: ({ dashboardId }) => [
    maskedBeside(get(`/dashboards/${dashboardId}/panels/people/data`)),
    without(get(`/dashboards/${dashboardId}/panels/points/data`))
  ],
  readDashboardPanelData: ({ dashboardId }) => [
    maskedBeside(ask(`/dashboards/${dashboardId}/panels/people/data`, {})),
    without(ask(`/dashboards/${dashboardId}/panels/points/data`, { from: '-1h', to: 'now' }))
  ],
  readDashboardData: ({ dashboardId }) => [
    maskedBeside(ask(`/dashboards/${dashboardId}/data`, {})),
    maskedBeside({ ...ask(`/dashboards/${dashboardId}/data`, {}), as: 'editor' })
  ],
  followDashboard: ({ dashboardId }) => [
    maskedBeside({ ...get(`/dashboards/${dashboardId}/live`), follows: ['people', 'points'] }),
    without({ ...get(`/dashboards/${dashboardId}/live?panels=points`), as: 'editor', follows: ['points'] })
  ],
  readDashboardVariables: ({ dashboardId }) => [maskedBeside(ask(`/dashboards/${dashboardId}/variables`, {}))],
  previewDashboardPanel: ({ object }) => [
    maskedBeside(ask('/dashboards/preview', { panel: dashboardPanel('people', { reference: object }) }))
  ],
  getDashboardImage: ({ dashboardId }) => [without(get(`/dashboards/${dashboardId}/image`))],
  getDashboardPanelImage: ({ dashboardId }) => [
    without(get(`/dashboards/${dashboardId}/panels/people/image`)),
    without(get(`/dashboards/${dashboardId}/panels/points/image`))
  ],
  getDashboardSnapshot: ({ dashboardId, snapshotId }) => [
    refused(get(`/dashboards/${dashboardId}/snapshots/${snapshotId}`))
  ],
  shareDashboard: ({ dashboardId, snapshotId }) => [
    refused(post(`/dashboards/${dashboardId}/share`, {})),
    refused(post(`/dashboards/${dashboardId}/share`, { snapshotId }))
  ],
  createAlertRuleFromPanel: ({ dashboardId }) => [
    refused(post(`/dashboards/${dashboardId}/panels/people/alert-rule`, { threshold: 1 }))
  ],
  // Links that were made before the data had their level.
  getSharedDashboardData: ({ shareToken }) => [
    without({ ...ask(`/dashboards/shared/${shareToken}/data`, {}), as: undefined })
  ],
  getSharedDashboardImage: ({ shareToken }) => [
    without({ ...get(`/dashboards/shared/${shareToken}/image`), as: undefined })
  ],
  getSharedDashboardPage: ({ shareToken }) => [
    without({ ...get(`/dashboards/shared/${shareToken}/page`), as: undefined })
  ]
}

export const optionsOf = ({ as, body, headers }: Attempt): CallOptions => {
  return { ...(as && { as }), ...(body !== undefined && { body }), ...(headers && { headers }) }
}

import assert from 'node:assert/strict'
import pg from 'pg'
import type { Role } from '../../../src/engines/identity/index.ts'
import { type Answer, startTestApp, type TestApp } from '../app.ts'
import { makeSource, writeLines } from '../catalog.ts'
import { readEvents } from '../event-reader.ts'
import { eventually } from '../eventually.ts'
import { type Collector, startCollector } from '../pipelines/collector.ts'
import { makeFolder } from '../servers/service.ts'
import { startSqlPostgres } from '../servers/sql-postgres.ts'
import type { SqlServer } from '../servers/sql-server.ts'
import { dashboardPanel, gateNodes } from './attempts.ts'

/** Data of one level, wherever the platform keeps or shows data, with a text in them that nobody without clearance may get. */
export interface Secret {
  readonly level: 'confidential' | 'restricted'
  readonly canary: string
  /** The canary, a time among the data, and how old it was when a rule was evaluated. */
  readonly hidden: readonly string[]
  readonly bucket: string
  readonly object: string
  readonly sourceId: string
  readonly pipelineId: string
  readonly runId: string
  readonly qualityRuleId: string
  /** What a rule asks of the values. Changes of rules are in the audit trail, where nobody finds the canary. */
  readonly form: string
  /** The rule, and a pipeline that names it and reads nothing that has a level. */
  readonly formRuleId: string
  readonly gateId: string
  readonly qualityResultId: string
  readonly qualityBaselineId: string
  readonly alertRuleId: string
  readonly alertId: string
  readonly alertDeliveryId: string
  readonly scheduleId: string
  readonly scheduleRunId: string
  readonly labelId: string
  /** A link of the lineage by which a level comes to other data. */
  readonly lineageLinkId: string
  /** With a table of the name `people`. */
  readonly connectorId: string
  /** With the panels `people` and `points`, and a variable of e-mail addresses. */
  readonly dashboardId: string
  readonly snapshotId: string
  readonly shareToken: string
  /** A link that was made before the object had its level. */
  readonly linkUrl: string
}

const BORN = '1999-09-17'

export class ClearanceWorld {
  readonly test: TestApp
  readonly #server: SqlServer
  readonly #inbox: Collector<unknown>

  private constructor(test: TestApp, server: SqlServer, inbox: Collector<unknown>) {
    this.test = test
    this.#server = server
    this.#inbox = inbox
  }

  /** What channels were sent so far. */
  get sent(): readonly string[] {
    return this.#inbox.requests.map(({ records }) => JSON.stringify(records))
  }

  /** A server on which neither viewers nor editors may see what is confidential. */
  static async start(): Promise<ClearanceWorld> {
    const server = await startSqlPostgres(makeFolder('clearance'))
    const test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
    const world = new ClearanceWorld(test, server, await startCollector())
    await world.admin('PUT', '/classification/clearances/editor', { level: 'internal' })
    await world.admin('POST', '/buckets', { name: 'open' })
    return world
  }

  async close(): Promise<void> {
    await this.test.close()
    await Promise.all([this.#server.stop(), this.#inbox.close()])
  }

  /** Does something as an administrator, which has to succeed. */
  async admin(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.test.call(method, `/api${path}`, { as: 'admin', body, headers })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }

  /** What somebody is sent who follows a dashboard or a log, until each of these panels or messages has come. */
  async follow(
    path: string,
    role: Role,
    awaited: readonly string[]
  ): Promise<Pick<Answer, 'status' | 'text' | 'body'>> {
    const authorization = `Bearer ${await this.test.token(role, role)}`
    const reader = await readEvents(`${this.test.url}/api${path}`, { authorization })
    const texts: string[] = []
    const waited = new Set(awaited)
    while (reader.status === 200 && waited.size > 0) {
      const event = await reader.next()
      assert.ok(event !== undefined, `it has ended after ${texts.join()}`)
      texts.push(JSON.stringify(event))
      if (event.data.status !== 'pending') waited.delete(event.data.panelId ?? event.data.message)
    }
    reader.leave()
    return { status: reader.status, text: texts.join('\n'), body: undefined }
  }

  /** Makes all of it first, and classifies it then: what was kept before the label came must not be shown either. */
  async secret(level: Secret['level']): Promise<Secret> {
    const canary = `canary-${level}-${crypto.randomUUID().slice(0, 8)}`
    const bucket = `of-${level}`
    const object = `object://${bucket}/people.csv`
    await this.admin('POST', '/buckets', { name: bucket })
    await this.admin('PUT', `/buckets/${bucket}/objects/people.csv`, `id,email\n1,${canary}\n2,5\n`, {
      'content-type': 'text/csv'
    })
    const sourceId = await makeSource(this.test, `source of ${level}`)
    await writeLines(this.test, `source of ${level}`, `who note="${canary}" ${Date.now() - 60_000}`)
    const link = await this.admin('POST', `/buckets/${bucket}/links`, { key: 'people.csv' })
    const { pipelineId, runId } = await this.#pipeline(level, bucket)
    const connectorId = await this.#connector(level, canary)
    const { age, ...quality } = await this.#quality(level, object, canary)
    const gate = await this.#gate(level, object)
    const dashboard = await this.#dashboard(level, object, sourceId)
    const labelId = await this.#classify(level, bucket, sourceId)
    const copied = await this.admin('POST', '/lineage/links', { from: object, to: `object://open/${level}.csv` })
    const alerts = await this.#alerts(level, object)
    const schedule = await this.#schedule(level, bucket, canary)
    const { url: linkUrl } = link.body
    const names = {
      level,
      canary,
      hidden: [canary, gate.form, BORN, age],
      bucket,
      object,
      sourceId,
      linkUrl,
      labelId,
      lineageLinkId: copied.body.id as string,
      connectorId
    }
    return { ...names, pipelineId, runId, ...quality, ...gate, ...dashboard, ...alerts, ...schedule }
  }

  /** One sink gets everything, and one node refuses the record with the canary, which then is a dead letter. */
  async #pipeline(level: string, bucket: string) {
    const sink = (id: string, input: string) => {
      return { id, type: 'object', config: { bucket, prefix: `${id}/`, format: 'csv' }, inputs: [input] }
    }
    const nodes = [
      { id: 'in', type: 'file', config: { reference: `object://${bucket}/people.csv` } },
      { id: 'cast', type: 'map', config: { select: { id: 'id', number: 'email::INTEGER' } }, inputs: ['in'] },
      sink('all', 'in'),
      sink('some', 'cast')
    ]
    return this.#completed(`pipeline of ${level}`, nodes)
  }

  async #completed(name: string, nodes: readonly object[]) {
    const { body } = await this.admin('POST', '/pipelines', { name, nodes })
    await this.admin('POST', `/pipelines/${body.id}/start`)
    const done = await eventually(async () => {
      const { body: pipeline } = await this.admin('GET', `/pipelines/${body.id}`)
      assert.equal(pipeline.status, 'completed', JSON.stringify(pipeline.error))
      return pipeline
    })
    return { pipelineId: body.id as string, runId: done.run.id as string }
  }

  /** Its only record does not keep the rule, and the dead letter says what the rule asks. */
  async #gate(level: string, dataset: string) {
    const form = `form-${level}-${crypto.randomUUID().slice(0, 8)}`
    const rule = {
      name: `rule of a form of ${level}`,
      dataset,
      type: 'regex',
      config: { column: 'email', pattern: form }
    }
    const { body } = await this.admin('POST', '/quality/rules', rule)
    const { pipelineId } = await this.#completed(`gate of ${level}`, gateNodes(body.id))
    const letters = await this.admin('GET', `/pipelines/${pipelineId}/dead-letters`)
    assert.ok(letters.text.includes(form), letters.text)
    return { form, formRuleId: body.id as string, gateId: pipelineId }
  }

  /** With a view that fails with the canary in what the database says of it. */
  async #connector(level: Secret['level'], canary: string): Promise<string> {
    const { host, port, user, password, database } = this.#server
    const client = new pg.Client({ host, port, user, password, database })
    await client.connect()
    await client.query(`CREATE SCHEMA ${level}`)
    await client.query(`CREATE TABLE ${level}.people AS SELECT 1 AS id, '${canary}' AS email`)
    await client.query(`CREATE VIEW ${level}.broken AS SELECT id, email::integer AS email FROM ${level}.people`)
    await client.end()
    const config = { host, port, user, password, database }
    const { body } = await this.admin('POST', '/connectors', { name: `of ${level}`, sourceId: 'postgres', config })
    await this.admin('POST', `/connectors/${body.id}/discover`)
    const columns = level === 'restricted' ? [] : ['email']
    for (const name of ['people', 'broken']) {
      const resource = `connector://${body.id}/${level}.${name}`
      await this.admin('POST', '/classification/resources', { resource, level, columns })
    }
    return body.id
  }

  async #quality(level: string, dataset: string, canary: string) {
    const config = { column: 'email', values: ['5', `the first is ${canary}`] }
    const rule = { name: `rule of ${level}`, dataset, type: 'allowedValues', config }
    const { body } = await this.admin('POST', '/quality/rules', rule)
    const { body: result } = await this.admin('POST', `/quality/rules/${body.id}/evaluate`)
    assert.equal(result.rowsFailed, 1)
    const { body: baseline } = await this.admin('POST', '/quality/baselines', { dataset, column: 'email' })
    return {
      age: await this.#age(level, dataset.replace('people', 'times')),
      qualityRuleId: body.id as string,
      qualityResultId: result.id as string,
      qualityBaselineId: baseline.id as string
    }
  }

  /** In a column of the same name is a time; how old it is tells which. */
  async #age(level: string, dataset: string): Promise<string> {
    const [, bucket] = /^object:\/\/([^/]+)/.exec(dataset) ?? []
    const put = { 'content-type': 'text/csv' }
    await this.admin('PUT', `/buckets/${bucket}/objects/times.csv`, `email\n${BORN}T00:00:00Z\n`, put)
    const config = { column: 'email', maxAge: '1d' }
    const rule = { name: `age of ${level}`, dataset, type: 'freshness', config }
    const { body } = await this.admin('POST', '/quality/rules', rule)
    const { body: result } = await this.admin('POST', `/quality/rules/${body.id}/evaluate`)
    assert.equal(result.reason.code, 'too_old')
    return String(result.measured)
  }

  async #dashboard(level: string, object: string, sourceId: string) {
    const query = { reference: object, sql: 'SELECT DISTINCT email FROM input' }
    const { body } = await this.admin('POST', '/dashboards', {
      name: `dashboard of ${level}`,
      timeRange: { from: '-1h', to: 'now' },
      variables: [{ name: 'email', type: 'query', query }],
      panels: [
        dashboardPanel('people', { reference: object }),
        dashboardPanel('points', { sourceId, function: 'last' })
      ]
    })
    const snapshot = await this.admin('POST', `/dashboards/${body.id}/snapshots`, {})
    const share = await this.admin('POST', `/dashboards/${body.id}/share`, {})
    return {
      dashboardId: body.id as string,
      snapshotId: snapshot.body.id as string,
      shareToken: share.body.token as string
    }
  }

  /** Of what is confidential the columns alone, of what is restricted the bucket as a whole. */
  async #classify(level: Secret['level'], bucket: string, sourceId: string): Promise<string> {
    const label = async (resource: unknown, columns: string[] = []) =>
      (await this.admin('POST', '/classification/resources', { resource, level, columns })).body.id as string
    await label(`series://${sourceId}`)
    if (level === 'restricted') return label({ type: 'bucket', id: bucket })
    return label(`object://${bucket}/**`, ['email'])
  }

  /** A channel is told of them. */
  async #alerts(level: string, reference: string) {
    const config = { url: this.#inbox.url, secret: 'x'.repeat(32) }
    const channel = { name: `channel of ${level}`, type: 'webhook', config, groupWait: '0s' }
    const channelId = (await this.admin('POST', '/alerts/channels', channel)).body.id
    const sql = 'SELECT email, 7 AS value FROM input'
    const condition = { reference, sql, operator: '>', threshold: 1 }
    const rule = { name: `alert of ${level}`, condition, channels: [channelId] }
    const { body } = await this.admin('POST', '/alerts/rules', rule)
    return eventually(async () => {
      const { body: found } = await this.admin('GET', `/alerts/rules/${body.id}/instances`)
      assert.equal(found.total, 2, JSON.stringify(found))
      const [alert] = (await this.admin('GET', `/alerts/history?ruleId=${body.id}`)).body.alerts
      const [delivery] = (await this.admin('GET', `/alerts/deliveries?channelId=${channelId}`)).body.deliveries
      assert.equal(delivery?.state, 'sent', JSON.stringify(delivery))
      return {
        alertRuleId: body.id as string,
        alertId: alert.id as string,
        alertDeliveryId: delivery.id as string
      }
    })
  }

  /** It stumbles over the canary when it runs, which was not there when it was made. */
  async #schedule(level: string, bucket: string, canary: string) {
    const put = (text: string) =>
      this.admin('PUT', `/buckets/${bucket}/objects/late.csv`, `email\n${text}\n`, { 'content-type': 'text/csv' })
    await put('5')
    const config = {
      sql: 'SELECT max(email::INTEGER) AS most FROM people',
      relations: { people: `object://${bucket}/late.csv` },
      into: { bucket: 'open', key: `most-${level}.csv`, format: 'csv' }
    }
    const schedule = {
      name: `schedule of ${level}`,
      cron: '0 3 1 1 *',
      timeZone: 'UTC',
      target: { type: 'sql', config }
    }
    const { body } = await this.admin('POST', '/scheduler/schedules', schedule)
    await put(canary)
    await this.admin('POST', `/scheduler/schedules/${body.id}/run`)
    const run = await eventually(async () => {
      const { body: history } = await this.admin('GET', `/scheduler/schedules/${body.id}/history`)
      assert.equal(history.runs[0]?.state, 'failed', JSON.stringify(history))
      return history.runs[0]
    })
    return { scheduleId: body.id as string, scheduleRunId: run.id as string }
  }
}

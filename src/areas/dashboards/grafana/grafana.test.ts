import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { DATA_SOURCES, grafanaDashboards } from './testing/dashboards.ts'

const PATH = '/api/dashboards/import/grafana'
const json = grafanaDashboards().find(({ name }) => name === 'v9-variables')?.json as object

describe('import from Grafana', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const post = (path: string, body: object, as: 'editor' | 'viewer' = 'editor') => test.call('POST', path, { as, body })

  it('makes the dashboard that the preview shows', async () => {
    const body = { dashboard: json, dataSources: DATA_SOURCES, folder: 'from grafana' }
    const preview = await post(`${PATH}/preview`, body)
    assert.equal(preview.status, 200, preview.text)
    const made = await post(PATH, body)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body.report, preview.body.report)
    const { id, version, owner, ...saved } = (
      await test.call('GET', `/api/dashboards/${made.body.dashboard.id}`, { as: 'editor' })
    ).body
    assert.deepEqual([version, owner.name, saved.folder], [1, 'editor', 'from grafana'])
    for (const [field, value] of Object.entries(preview.body.dashboard)) assert.deepEqual(saved[field], value, field)
    assert.equal(made.headers.get('location'), `/api/dashboards/${id}`)
  })

  it('refuses what is no dashboard, and data sources that are none', async () => {
    for (const [body, pointer] of [
      [{ dashboard: { title: 'x' } }, '/dashboard'],
      [{ dashboard: { panels: 7 } }, '/dashboard/panels'],
      [{ dashboard: json, dataSources: { a: { reference: 'nothing' } } }, '/dataSources/a/reference'],
      [{ dashboard: json, dataSources: { 'a/b': { references: { t: 'ftp://x' } } } }, '/dataSources/a~1b/references/t'],
      [{ dashboard: json, folder: '/' }, '/folder'],
      [{ dashboards: json }, '/dashboards']
    ] as const) {
      const answer = await post(PATH, body)
      assert.equal(answer.status, 400, answer.text)
      assert.ok(
        answer.body.errors.some((each: { pointer: string }) => each.pointer === pointer),
        answer.text
      )
    }
  })

  it('is for those who may write dashboards', async () => {
    for (const path of [PATH, `${PATH}/preview`])
      assert.equal((await post(path, { dashboard: json }, 'viewer')).status, 403)
  })
})

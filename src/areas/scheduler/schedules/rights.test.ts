import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'

const PATH = '/api/scheduler/schedules'
const BACKFILL = { from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' }

let app: TestApp
let id: string
let backupDir: string

before(async () => {
  backupDir = makeFolder('backups')
  app = await startTestApp({ env: { BACKUP_DIR: backupDir } })
  const body = { name: 'backup', cron: '0 6 * * *', target: { type: 'backup' } }
  const made = await app.call('POST', PATH, { as: 'admin', body })
  assert.equal(made.status, 201, made.text)
  id = made.body.id
})
after(async () => {
  await app.close()
  removeFolder(backupDir)
})

const OPERATIONS: [string, string, string, object | undefined][] = [
  ['change', 'PUT', '', { description: 'mine' }],
  ['pause', 'POST', '/pause', { note: 'mine' }],
  ['resume', 'POST', '/resume', undefined],
  ['backfill', 'POST', '/backfill', BACKFILL],
  ['run', 'POST', '/run', undefined],
  ['cancel a run of', 'POST', '/history/srn_none/cancel', undefined],
  ['delete', 'DELETE', '', undefined]
]

for (const [what, method, path, body] of OPERATIONS) {
  test(`who may not do what a schedule does may not ${what} it`, async () => {
    const before = await app.call('GET', `${PATH}/${id}`, { as: 'editor' })
    const answer = await app.call(method, `${PATH}/${id}${path}`, { as: 'editor', body })
    assert.deepEqual([answer.status, answer.body.code], [403, 'permission_denied'], answer.text)
    assert.equal(answer.body.permission, 'storage:admin')
    assert.match(answer.body.detail, /target backup needs the permission storage:admin/)
    assert.deepEqual((await app.call('GET', `${PATH}/${id}`, { as: 'editor' })).body, before.body)
    const history = await app.call('GET', `${PATH}/${id}/history`, { as: 'editor' })
    assert.deepEqual(history.body.runs, [])
  })
}

test('who may do it passes', async () => {
  for (const [what, method, path, body] of OPERATIONS) {
    const answer = await app.call(method, `${PATH}/${id}${path}`, { as: 'admin', body })
    assert.notEqual(answer.status, 403, `${what}: ${answer.text}`)
  }
})

test('a schedule whose target is offered no more may be paused and deleted', async () => {
  const target = { type: 'http', config: { url: 'https://example.com/' } }
  const made = await app.call('POST', PATH, { as: 'editor', body: { name: 'old', cron: '0 6 * * *', target } })
  await app.platform.metadata.transaction((tx) =>
    tx.updateTable('schedules').set({ target_type: 'teleport' }).where('id', '=', made.body.id).execute()
  )
  const paused = await app.call('POST', `${PATH}/${made.body.id}/pause`, { as: 'editor' })
  assert.equal(paused.status, 200, paused.text)
  const gone = await app.call('DELETE', `${PATH}/${made.body.id}`, { as: 'editor' })
  assert.equal(gone.status, 204, gone.text)
})

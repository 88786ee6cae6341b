import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A program as a user would write it; it compiles only if the description says what the API does. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:8080' })
const { data, error } = await client.POST('/api/api-keys', { body: { name: 'nightly', scopes: ['users:read'] } })
export const key: string | undefined = data?.key
export const code: string | undefined = error?.code
const list = await client.GET('/api/users', { params: { query: { limit: 10, role: 'admin' } } })
export const first: string | undefined = list.data?.users[0]?.name
const user = await client.PUT('/api/users/{id}', { params: { path: { id: 'usr_1' } }, body: { disabled: true } })
export const version: number | undefined = user.data?.version
// @ts-expect-error a name is text
await client.POST('/api/api-keys', { body: { name: 5 } })
// @ts-expect-error there is no such path
await client.GET('/api/nothing')
`

const TSCONFIG = {
  compilerOptions: {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: []
  }
}

describe('openapi.json', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-client-'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('is what the code describes', async () => {
    await run(process.execPath, ['scripts/openapi.ts', '--check'], { cwd: root })
  })

  it('passes a linter with its recommended rules', async () => {
    const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
    const { stderr } = await run(process.execPath, [redocly, 'lint', 'openapi.json'], {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    })
    assert.doesNotMatch(stderr, /warning|error/i)
  })

  it('makes a client that compiles', async () => {
    const description = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
    writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(description)))
    writeFileSync(join(folder, 'program.ts'), PROGRAM)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
    await run(process.execPath, [compiler, '-p', folder]).catch((error) => assert.fail(error.stdout))
  })
})

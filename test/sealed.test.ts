import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/**
 * Whatever is sealed, and what keeps it from being used elsewhere than it was given for. Whoever seals something new says here
 * which it is: what users give and get back masked has to be bound to its place, as `strangeFields` does.
 */
const SEALERS: Readonly<Record<string, 'bound to its place' | 'never leaves the server'>> = {
  'areas/connectors/secret-keeping.ts': 'never leaves the server',
  'areas/integration/authorizations.ts': 'never leaves the server',
  'areas/pipelines/definition/secrets.ts': 'bound to its place',
  'areas/quality/baselines/sealing.ts': 'never leaves the server',
  'areas/scheduler/schedules/targets.ts': 'bound to its place',
  'areas/storage/credentials.ts': 'bound to its place',
  'http/idempotency.ts': 'never leaves the server',
  'http/sealed-config.ts': 'bound to its place',
  'platform.ts': 'never leaves the server'
}

test('all that seals a secret of users binds it to its place', () => {
  const root = join(import.meta.dirname, '../src')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('engines/vault/'))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
  const sealing = files.filter(({ text }) => /\bvault\b/i.test(text) && /\.seal\(/.test(text))
  assert.deepEqual(sealing.map(({ name }) => name).sort(), Object.keys(SEALERS).sort())
  for (const { name, text } of sealing) {
    if (SEALERS[name] === 'bound to its place') assert.match(text, /strangeFields\(/, name)
  }
})

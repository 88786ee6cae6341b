import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { runCliHere } from '../../test/support/process.ts'
import '../areas.ts'
import { allSettings } from '../config.ts'

const NAMES = ['serve', 'token', 'audit verify', 'doctor', 'backup', 'restore', 'disk forget']
const folder = mkdtempSync(join(tmpdir(), 'millrace-cli-'))
const env = { DATA_DIR: join(folder, 'data') }

after(() => {
  assert.deepEqual(readdirSync(folder), [], 'a command that was refused has left something behind')
  rmSync(folder, { recursive: true })
})

describe('the command line', () => {
  for (const args of [[], ['help'], ['--help'], ['-h']]) {
    it(`lists every command for '${args.join(' ')}'`, async (t) => {
      const { code, stdout, stderr } = await runCliHere(t, args, env)
      assert.equal(code, 0)
      assert.equal(stderr, '')
      for (const name of NAMES) assert.match(stdout, new RegExp(`^  ${name} +\\S`, 'm'))
    })
  }

  for (const name of NAMES) {
    it(`has help for '${name}'`, async (t) => {
      for (const args of [
        [...name.split(' '), '--help'],
        [...name.split(' '), 'x', '-h'],
        ['help', ...name.split(' ')]
      ]) {
        const { code, stdout } = await runCliHere(t, args, env)
        assert.equal(code, 0)
        assert.ok(stdout.startsWith(`Usage: millrace ${name}`), stdout)
      }
    })
  }

  it('gives the help of what is begun but not ended', async (t) => {
    const { code, stdout } = await runCliHere(t, ['audit', '--help'], env)
    assert.equal(code, 0)
    assert.match(stdout, /^Usage: millrace audit verify/)
  })

  it('names every setting in the help of serve', async (t) => {
    const { stdout } = await runCliHere(t, ['serve', '--help'], env)
    for (const { name } of allSettings()) assert.match(stdout, new RegExp(`^  ${name} `, 'm'))
  })

  for (const args of [['fly'], ['audit'], ['audit', 'burn'], ['--fly']]) {
    it(`refuses '${args.join(' ')}' and lists what there is`, async (t) => {
      const { code, stdout, stderr } = await runCliHere(t, args, env)
      assert.equal(code, 2)
      assert.equal(stdout, '')
      assert.match(stderr, /^There is no command/)
      assert.match(stderr, /Commands:/)
    })
  }

  const wrong: [string[], RegExp][] = [
    [['serve', 'now'], /Unexpected argument 'now'/],
    [['token'], /--user is needed/],
    [['token', '--user', ' '], /--user is needed/],
    [['token', '--user', 'a'.repeat(256)], /255 characters at most/],
    [['token', '--user'], /argument missing/],
    [['token', '--user', 'ada', '--role', 'queen'], /viewer, editor, admin/],
    [['token', '--user', 'ada', '--ttl', '8'], /--ttl must be/],
    [['token', '--user', 'ada', '--ttl', '0s'], /from 1s to 365d/],
    [['token', '--user', 'ada', '--ttl', '366d'], /from 1s to 365d/],
    [['token', '--user', 'ada', '--ttl', '1.5h'], /--ttl must be/],
    [['token', '--usr', 'ada'], /Unknown option '--usr'/],
    [['token', 'ada'], /Unexpected argument 'ada'/],
    [['audit', 'verify', '--fast'], /Unknown option/],
    [['doctor', '--fix'], /Unknown option/],
    [['backup'], /Name one folder/],
    [['backup', 'a', 'b'], /Name one folder/],
    [['restore'], /Name one folder/],
    [['restore', 'a', '--yes'], /Unknown option/]
  ]
  for (const [args, message] of wrong) {
    it(`refuses '${args.join(' ').slice(0, 40)}' with the usage`, async (t) => {
      const { code, stdout, stderr } = await runCliHere(t, args, env)
      assert.equal(code, 2)
      assert.equal(stdout, '')
      assert.match(stderr, message)
      assert.match(stderr, /\n\nUsage: millrace /)
    })
  }

  for (const args of [
    ['token', '--user', 'ada'],
    ['audit', 'verify'],
    ['backup', join(folder, 'b')]
  ]) {
    it(`tells '${args[0]}' all that is wrong with the settings`, async (t) => {
      const { code, stderr } = await runCliHere(t, args, { ...env, PORT: 'x', TRUST_PROXY: 'maybe' })
      assert.equal(code, 1)
      assert.match(stderr, /2 problem.*\n.*PORT.*\n.*TRUST_PROXY/)
    })
  }

  it('says where the database would be that it can’t find', async (t) => {
    const withSecret = { ...env, SECRET_KEY: 'x'.repeat(32) }
    const verify = await runCliHere(t, ['audit', 'verify'], withSecret)
    const backup = await runCliHere(t, ['backup', join(folder, 'b')], withSecret)
    assert.deepEqual([verify.code, backup.code], [1, 1])
    assert.match(verify.stderr, /no database at .*metadata\.db: check DATA_DIR/)
    assert.match(backup.stderr, /nothing to back up.*Check DATA_DIR/)
  })

  it('makes no token where an outside provider does', async (t) => {
    const oidc = { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'millrace', SECRET_KEY: 'x'.repeat(32) }
    const { code, stdout, stderr } = await runCliHere(t, ['token', '--user', 'ada'], { ...env, ...oidc })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /outside provider is configured/)
  })

  it('tells what the system refuses in one line', async (t) => {
    const DATA_DIR = join(folder, 'odd')
    mkdirSync(join(DATA_DIR, 'secret.key'), { recursive: true })
    const { code, stderr } = await runCliHere(t, ['token', '--user', 'ada'], { DATA_DIR })
    rmSync(DATA_DIR, { recursive: true })
    assert.equal(code, 1)
    assert.match(stderr, /^EISDIR.*\n$/)
  })

  it('makes no token where no server has started, and no secret either', async (t) => {
    const { code, stdout, stderr } = await runCliHere(t, ['token', '--user', 'ada'], env)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /no server has started there: check DATA_DIR, start the server once, or set SECRET_KEY/)
    const secret = { ...env, SECRET_KEY: 'x'.repeat(32) }
    assert.match((await runCliHere(t, ['token', '--user', 'ada'], secret)).stdout, /^eyJ/)
  })
})

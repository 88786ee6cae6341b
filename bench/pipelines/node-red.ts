import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import type { PipelineServer } from './server.ts'

const RED = join(import.meta.dirname, '../../.servers/node-red/node_modules/node-red/red.js')
const RECORDS = 100_000
const OURS = 5_000_000

export const missingNodeRed = (): string | undefined =>
  existsSync(RED) ? undefined : 'Node-RED is not in .servers/node-red (run scripts/install-test-servers)'

/** function → filter → file, records a second. */
export async function measureNodeRed(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const port = await freePort()
  const output = join(folder, 'out.ndjson')
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(flowsOf(output).map(placed)))
  writeFileSync(
    join(folder, 'settings.js'),
    `module.exports = { uiHost: '127.0.0.1', uiPort: ${port}, flowFile: 'flows.json', credentialSecret: false, telemetry: { enabled: false } }`
  )
  const child = spawn(process.execPath, [RED, '-u', folder, '-s', join(folder, 'settings.js')], { stdio: 'ignore' })
  try {
    await until(() =>
      fetch(`http://127.0.0.1:${port}/go`, { method: 'POST' }).then(
        (answer) => answer.ok,
        () => false
      )
    )
    const startedMs = performance.now()
    // Nine of ten get through, each a line of known length.
    await until(() => existsSync(output) && statSync(output).size >= expectedBytes())
    return RECORDS / ((performance.now() - startedMs) / 1000)
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

const expectedBytes = () =>
  Array.from({ length: RECORDS }, (_, n) => (n % 10 === 3 ? 0 : JSON.stringify({ n, value: n * 2 }).length + 1)).reduce(
    (a, b) => a + b,
    0
  )

/** A node without a place on the sheet is taken for something else. */
const placed = (node: object) => ('z' in node ? { x: 100, y: 100, ...node } : node)

function flowsOf(filename: string): object[] {
  return [
    { id: 'tab', type: 'tab', label: 'bench' },
    { id: 'http', type: 'http in', z: 'tab', url: '/go', method: 'post', wires: [['answer', 'make']] },
    { id: 'answer', type: 'http response', z: 'tab', statusCode: '200', wires: [] },
    {
      id: 'make',
      type: 'function',
      z: 'tab',
      func: `for (let n = 0; n < ${RECORDS}; n++) node.send({ payload: { n, value: n * 2 } })`,
      outputs: 1,
      wires: [['keep']]
    },
    {
      id: 'keep',
      type: 'function',
      z: 'tab',
      func: 'if (msg.payload.n % 10 !== 3) return { payload: JSON.stringify(msg.payload) }',
      outputs: 1,
      wires: [['written']]
    },
    {
      id: 'written',
      type: 'file',
      z: 'tab',
      filename,
      filenameType: 'str',
      appendNewline: true,
      overwriteFile: 'false',
      wires: [[]]
    }
  ]
}

/** The same records through a pipeline into an object of lines. */
export async function measureSame(server: PipelineServer): Promise<number> {
  await server.client.post('/buckets', { name: 'beside' })
  const ms = await server.timeToCompleted('beside Node-RED', [
    { id: 'make', type: 'generate', config: { count: OURS, fields: { n: 'n', value: 'n * 2' } }, inputs: [] },
    { id: 'keep', type: 'filter', config: { where: 'n % 10 <> 3' }, inputs: ['make'] },
    { id: 'file', type: 'object', config: { bucket: 'beside', prefix: '', format: 'ndjson' }, inputs: ['keep'] }
  ])
  return OURS / (ms / 1000)
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000
  while (!(await check())) {
    if (performance.now() > end) throw new Error('Node-RED is not done after two minutes')
    await delay(20)
  }
}

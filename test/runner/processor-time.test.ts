import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { processorMs, processorsOfMachine } from './processor-time.ts'

const BUSY = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);'

test('what a process has started counts, while it runs and after it has ended', {
  skip: process.platform !== 'linux' && 'only Linux tells'
}, async () => {
  const inner = `${BUSY} process.stdin.resume().on('end', () => process.exit())`
  const outer = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`
  const child = spawn(process.execPath, ['-e', outer], { stdio: ['pipe', 'inherit', 'inherit'] })
  const pid = child.pid as number
  const before = processorMs(process.pid) as number
  await eventually(() => (processorMs(pid) as number) >= 300)
  child.stdin?.end()
  await once(child, 'exit')
  assert.ok((processorMs(process.pid) as number) - before >= 300, 'what has ended is still counted')
  assert.equal(processorMs(pid), 0, 'nothing is left of a process that has ended')
})

test('what a process uses that nobody waits for counts for the machine', async () => {
  const before = processorsOfMachine()
  const outer = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(BUSY)}], { detached: true, stdio: 'ignore' }).unref()`
  await once(spawn(process.execPath, ['-e', outer], { stdio: 'ignore' }), 'exit')
  await eventually(() => processorsOfMachine().busyMs - before.busyMs >= 300)
  assert.ok(processorsOfMachine().idleMs >= before.idleMs)
})

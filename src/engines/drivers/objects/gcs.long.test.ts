import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingGcsEmulator, startGcsEmulator } from '../../../../test/support/servers/gcs-emulator.ts'
import { startEmulatorFront } from '../../objects/gcs/testing/emulator-front.ts'
import { openFor } from '../../objects/gcs/testing/open.ts'
import { bodyOf } from '../../objects/testing/bodies.ts'
import { createOutbound } from '../../outbound/index.ts'
import { driverOf, findSource, runSteps, type SourceFacts } from '../index.ts'

// The emulator asks nobody who they are, so the contract of drivers, which tells wrong keys apart, can't be run on it.
describe('Google Cloud Storage as a source, on its emulator', { skip: missingGcsEmulator() ?? false }, () => {
  it('lists and reads files', async (t) => {
    const emulator = await startGcsEmulator()
    const front = await startEmulatorFront(emulator.port)
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    t.after(async () => {
      await outbound.close()
      await front.stop()
      await emulator.stop()
    })
    const store = openFor(t, { port: front.port })
    await store.put('plant', 'exports/a.csv', bodyOf('id\n1\n2\n'), { contentType: 'text/csv' })
    const source = findSource('gcs') as SourceFacts
    const config = { host: '127.0.0.1', port: front.port, tls: false, bucket: 'plant', files: ['exports/*.csv'] }
    const driver = await driverOf(source)
    const opened = await driver.open(config, source, { outbound, packagesFolder: '/nowhere' })
    const { success, message } = await runSteps(opened.steps, 30_000)
    assert.ok(success, message)
    const ids: unknown[] = []
    for await (const { values } of opened.read({ stream: 'exports/*.csv', signal: AbortSignal.timeout(30_000) }))
      ids.push(...(values[0] ?? []))
    await opened.close()
    assert.deepEqual(ids, ['1', '2'])
  })
})

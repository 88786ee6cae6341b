import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createOutbound } from '../../outbound/index.ts'
import { driverOf, findSource, runSteps, type SourceConfig, type SourceFacts, secretFields } from '../index.ts'
import type { NeededPackage } from '../packages.ts'

/** What a source shows whose package is not there, as it is for all tests. */
export function missingPackage(sourceId: string, needed: NeededPackage, config: SourceConfig): void {
  const source = findSource(sourceId) as SourceFacts

  it('says which command adds its package, and connects to nothing', async () => {
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const driver = await driverOf(source)
    const opened = await driver.open(config, source, { outbound, packagesFolder: '/nowhere' })
    const { success, checks } = await runSteps(opened.steps, 5000)
    assert.equal(success, false)
    assert.deepEqual(
      checks.map(({ name, code }) => [name, code]),
      [
        ['driver', 'driver_missing'],
        ...['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'].map((step) => [step, 'not_tried'])
      ]
    )
    const command = `npm install --prefix /nowhere ${needed.name}@${needed.version}`
    assert.ok(checks[0]?.message.endsWith(command))
    await assert.rejects(opened.discover({ limit: 1, signal: AbortSignal.timeout(5000) }), { code: 'driver_missing' })
    await opened.close()
    await outbound.close()
  })

  it('binds what is secret to where it is sent', async () => {
    const driver = await driverOf(source)
    const fields = secretFields(driver.schemaFor(source))
    const places = driver.placesOf(config, source)
    assert.deepEqual(fields, Object.keys(places))
    for (const changes of [{ host: 'other.example' }, { port: 4711 }, { user: 'other' }, { tls: !config.tls }]) {
      const others = driver.placesOf({ ...config, ...changes }, source)
      for (const field of fields) assert.notDeepEqual(others[field], places[field], JSON.stringify(changes))
    }
  })
}

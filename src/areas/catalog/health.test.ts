// Once: an engine that is away.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { SeriesError } from '../../engines/series/index.ts'
import { HealthProblem } from '../../http/health-problem.ts'
import { seriesDir } from '../../platform.ts'
import { checkSeries } from './health.ts'

const away = 'The database of the points does not answer: see that it runs and that SERIES_URL is right'

describe('the check of points', () => {
  it('says that their database is away, without its name, and gives the reason to the log', async () => {
    const port = await freePort()
    const test = await startTestApp({ env: { SERIES_URL: `clickhouse://someone:hidden@127.0.0.1:${port}/points` } })
    try {
      // The first request waits for the engine to be loaded, which may take longer than a check on a busy machine.
      await eventually(async () => {
        const { status, body, text } = await test.call('GET', '/api/health')
        assert.deepEqual([status, body.status, body.checks.series.status], [200, 'degraded', 'degraded'])
        assert.doesNotMatch(text, /127\.0\.0\.1|hidden|someone/)
        assert.equal(body.checks.series.message, away)
      })
      assert.ok(test.logged.some((line) => line.includes('"check":"series"') && line.includes('ECONNREFUSED')))
    } finally {
      await test.close()
    }
  })

  it('opens no engine that nobody has used', async () => {
    const test = await startTestApp()
    try {
      assert.equal((await test.call('GET', '/api/health')).body.checks.series.status, 'ok')
      await test.call('GET', '/metrics', { as: 'viewer' })
      assert.equal(existsSync(seriesDir(test.platform.config)), false)
      assert.equal(test.platform.openedSeries(), undefined)
    } finally {
      await test.close()
    }
  })

  it('tells what can be told, leaves what several replicas lack to another check, and passes on the rest', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-test-'))
    const check = (error: unknown) =>
      checkSeries({ config: { seriesUrl: undefined }, folder, series: () => Promise.reject(error) })
    try {
      await assert.rejects(check(new SeriesError('full', 'no room in /somewhere')), (error) => {
        assert.ok(error instanceof HealthProblem)
        assert.match(error.message, /make room on the disk of the folder 'series' in DATA_DIR/)
        assert.doesNotMatch(error.message, /somewhere/)
        return true
      })
      for (const code of ['failed', 'unwritable'] as const) {
        await assert.rejects(check(new SeriesError(code, 'in /somewhere')), (error) => {
          assert.ok(error instanceof HealthProblem)
          assert.match(error.message, /the disk of the folder 'series' in DATA_DIR/)
          assert.doesNotMatch(error.message, /SERIES_URL|somewhere/)
          return true
        })
      }
      await check(new SeriesError('not_shared', 'set SERIES_URL'))
      await assert.rejects(check(new Error('at /somewhere')), (error) => !(error instanceof HealthProblem))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

import type { Config } from './config.ts'
import type { DataActivity } from './data/activity.ts'
import { watchSeries } from './data/watched-series.ts'
import { seriesDir } from './data-paths.ts'
import type { Log } from './engines/log.ts'
import type { Obstacle, Replicas } from './engines/replicas/index.ts'
import { SeriesError } from './engines/series/errors.ts'
import type { Series } from './engines/series/index.ts'
import { isHeldByReplica, keptElsewhere } from './kept-on-disks.ts'

/** Time series, opened by the first use; where that fails, the next use tries again. */
export function lazySeries(config: Config, log: Log, replicas: Replicas, activity: DataActivity) {
  let opened: Promise<Series> | undefined
  const open = async (): Promise<Series> => {
    const { openSeries, SeriesError } = await import('./engines/series/index.ts')
    const onFailure = (error: Error) => {
      const isDamage = error instanceof SeriesError && error.code === 'damaged'
      if (isDamage) log.error({ damage: error.message }, "the disk has lost points; see what 'millrace doctor' says")
      else log.error({ err: error }, 'the time-series engine failed and tries again')
    }
    const series = await openSeries({ url: config.seriesUrl, folder: seriesDir(config), onFailure })
    return watchSeries(config.seriesUrl === undefined ? claimingDisk(series, replicas) : series, activity)
  }
  return {
    opened: () => opened,
    open: async () => {
      if (config.seriesUrl === undefined) requirePoints(await replicas.obstacleTo('points'))
      opened ??= open().catch((error) => {
        opened = undefined
        throw isHeldByReplica(config, error) ? pointsRefused('several', error) : error
      })
      return opened
    },
    close: async () => (await opened?.catch(() => undefined))?.close()
  }
}

/** Records before the first point is written that points are on this disk. */
function claimingDisk(series: Series, replicas: Replicas): Series {
  const write = series.write.bind(series)
  series.write = async (request) => {
    requirePoints(await replicas.claim('points'))
    return write(request)
  }
  return series
}

function requirePoints(obstacle: Obstacle | undefined): void {
  if (obstacle !== undefined) throw pointsRefused(obstacle)
}

function pointsRefused(obstacle: Obstacle, cause?: unknown): SeriesError {
  if (obstacle !== 'several') return new SeriesError('kept_elsewhere', keptElsewhere('points', obstacle), {}, cause)
  return new SeriesError(
    'not_shared',
    'Several replicas share the database, but not the points: set SERIES_URL',
    {},
    cause
  )
}

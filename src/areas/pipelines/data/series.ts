import type { Series } from '../../../engines/series/index.ts'
import { bucketsOf } from '../../catalog/index.ts'
import type { Output } from '../lineage/output.ts'
import { type DataSeries, MEASURES, type Measure } from './schema.ts'
import type { BucketsAsked } from './service.ts'

/** Points in one answer, which is made in memory. */
export const MAX_POINTS = 100_000

type Point = DataSeries['points'][number]

/** A point with only the measures that were asked for. */
export function pick({ time, ...values }: Point, measure: Measure | undefined): Point {
  if (measure !== undefined) return { time, count: values.count ?? 0, [measure]: values[measure] ?? null }
  const { sum: _sum, ...usual } = values
  return { time, ...usual }
}

/** Output that is in time series, in buckets. */
export class SeriesData {
  readonly #series: () => Promise<Series>

  constructor(series: () => Promise<Series>) {
    this.#series = series
  }

  async read(outputs: readonly Output[], asked: BucketsAsked, signal: AbortSignal): Promise<DataSeries[]> {
    const found: DataSeries[] = []
    for (const output of outputs) {
      if (output.kind !== 'series') continue
      const tags = output.tag === undefined ? asked.columns : [output.tag]
      if (output.tag !== undefined && asked.columns?.includes(output.tag) === false) continue
      found.push(...(await this.#ask(output.sourceId, tags, asked, signal)))
    }
    return found
  }

  async #ask(sourceId: string, tags: readonly string[] | undefined, asked: BucketsAsked, signal: AbortSignal) {
    const { span, width, measure } = asked
    const query = { sourceId, tags, ...span, bucket: width, functions: MEASURES, limitPoints: MAX_POINTS }
    const series = await bucketsOf<Point>(this.#series, query, signal)
    return series.map(({ tag, points }) => ({ tag, points: points.map((point) => pick(pointOf(point), measure)) }))
  }
}

/** A point without what the catalog says of it beside its values. */
function pointOf(point: Point): Point {
  return { time: point.time, ...Object.fromEntries(MEASURES.map((name) => [name, Number(point[name])])) }
}

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckdbSeries, openDuckdb } from '../../../engines/series/duckdb/index.ts'
import type { Sizes } from '../../../engines/series/duckdb/settings.ts'
import { ask, writeGood } from '../../../engines/series/testing/asking.ts'

export function open(folder: string, sizes: Partial<Sizes> = {}): Promise<DuckdbSeries> {
  return openDuckdb({
    folder,
    sizes,
    onFailure: (error) => {
      throw error
    }
  })
}

/** Writes `count` numbers, counting up from `first`, to the tags of a source in turn. */
export async function writeNumbers(engine: DuckdbSeries, first: number, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => first + n)
  const lines = numbers.map((n) => `tag-${n % 7} value=${n} ${n}`)
  await writeGood(engine, 'plant', lines.join('\n'), { precision: 's' })
}

export async function numbersIn(engine: DuckdbSeries): Promise<number[]> {
  const { series } = await ask(engine, 'plant')
  return series.flatMap((one) => one.points.map(({ value }) => value as number)).sort((a, b) => a - b)
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
}

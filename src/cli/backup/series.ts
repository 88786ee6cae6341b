import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { type BackedUp, backUpSeries, PointsFault } from '../../engines/series/duckdb/backup.ts'
import { pointFilesIn } from '../../engines/series/duckdb/index-loss.ts'
import { inspectSeries, isPointsFile } from '../../engines/series/duckdb/inspect.ts'
import { layoutOf } from '../../engines/series/duckdb/layout.ts'
import { seriesDir } from '../../platform.ts'
import { Trouble } from '../command.ts'
import { flush, severalAtOnce, sha256Of, sync, writeDurably } from './durable.ts'
import type { Progress } from './progress.ts'
import { damaged, stageFile } from './stage-file.ts'

const SERIES = basename(seriesDir({ dataDir: '' } as Config))

/** The file that represents the points in a manifest: the hash of each of their files, as `sha256sum -c` reads it. */
export const SERIES_PART = `${SERIES}/sha256sums`

interface Summed {
  readonly name: string
  readonly sha256: string
}

/** Also true where the index is lost: the points are there all the same. */
export function hasPoints(config: Config): boolean {
  const folder = seriesDir(config)
  return existsSync(join(folder, 'index.db')) || pointFilesIn(layoutOf(folder)).length > 0
}

/** Answers what is damaged, as sentences without a full stop. */
export async function writePoints(config: Config, folder: string, { points }: Progress): Promise<readonly string[]> {
  const target = join(folder, SERIES)
  const { names, damaged: found } = await copyPoints(config, target, points)
  const sums = new Map<string, string>()
  await severalAtOnce(names, async (name) => {
    await chmod(join(target, name), 0o600)
    await flush(join(target, name))
    sums.set(name, await sha256Of(join(target, name)))
  })
  await flushFolders(target, names)
  writeDurably(join(folder, SERIES_PART), names.map((name) => `${sums.get(name)}  ${name}\n`).join(''))
  sync(target)
  return found.map((damage) => `in ${seriesDir(config)} ${damage}`)
}

async function copyPoints(config: Config, target: string, onProgress: Progress['points']): Promise<BackedUp> {
  const folder = seriesDir(config)
  try {
    return await backUpSeries({ folder, target, onProgress })
  } catch (error) {
    if (!(error instanceof PointsFault)) throw error
    throw new Trouble(`In ${folder} ${error.message}: see what 'millrace doctor' says, and then begin again.`)
  }
}

/** Copies the points of a backup, whose list of hashes is staged already; checks that all are there and unchanged. */
export async function stagePoints(folder: string, staged: string, { points }: Progress): Promise<void> {
  const sums = readSums(readFileSync(join(staged, SERIES_PART), 'utf8'))
  if (sums === undefined) throw damaged(folder, `${SERIES_PART} names what no backup has`)
  const all = { count: sums.length, sizeBytes: sizeOf(folder, sums) }
  let done = { count: 0, sizeBytes: 0 }
  await severalAtOnce(sums, async ({ name, sha256 }) => {
    await stageFile(folder, staged, `${SERIES}/${name}`, sha256)
    const { size } = statSync(join(staged, SERIES, name))
    done = { count: done.count + 1, sizeBytes: done.sizeBytes + size }
    points(done, all)
  })
  requireWhole(folder, join(staged, SERIES))
  rmSync(join(staged, SERIES_PART))
  const names = sums.map(({ name }) => name)
  await flushFolders(join(staged, SERIES), names)
}

function requireWhole(folder: string, staged: string): void {
  let fault: string | undefined
  try {
    fault = inspectSeries(staged).faults[0]
  } catch (error) {
    fault = `index.db can't be read: ${(error as Error).message}`
  }
  if (fault !== undefined) throw damaged(folder, `${SERIES}: ${fault}`)
}

/** Undefined where a name is not one that a backup can have: no name may lead out of the folder. */
function readSums(text: string): Summed[] | undefined {
  const lines = text.split('\n').slice(0, -1)
  const sums = lines.map((line) => ({ sha256: line.slice(0, 64), name: line.slice(66) }))
  const isKnown = (name: string) => name === 'index.db' || /^log-\d+$/.test(name) || isPointsFile(name)
  return sums.every(({ name }) => isKnown(name)) ? sums : undefined
}

function sizeOf(folder: string, sums: readonly Summed[]): number {
  const sizes = sums.map(({ name }) => statSync(join(folder, SERIES, name), { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((total, size) => total + size, 0)
}

/** Flushes the folders of all files, up to `folder` itself. */
async function flushFolders(folder: string, names: readonly string[]): Promise<void> {
  const folders = new Set(['.'])
  for (const name of names) {
    for (let at = dirname(name); at !== '.'; at = dirname(at)) folders.add(at)
  }
  await severalAtOnce([...folders], (name) => flush(join(folder, name)))
  sync(dirname(folder))
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../engines/clock.ts'
import { readWholeStore } from '../../engines/objects/disk/inspect.ts'
import { isIndexLost } from '../../engines/objects/disk/known-contents.ts'
import { layoutOf } from '../../engines/objects/disk/layout.ts'
import { readWholeFiles } from '../../engines/series/duckdb/inspect.ts'
import { type Finding, fail, type Installation, ok } from '../../finding.ts'
import { metadataFile, seriesDir } from '../../platform.ts'
import { storesIn } from '../backup/object-stores.ts'
import { hasPoints } from '../backup/series.ts'
import { MEND_OBJECT, tellUnknown } from './objects.ts'
import { putBackFile } from './series.ts'

const SUBJECT = 'deep'
const EVERY_MS = 5000
const MIB = 1024 * 1024

/** Reads everything on this disk once and compares it with its checksums. Reports progress on stderr. */
export async function* readEverything(installation: Installation): AsyncGenerator<Finding> {
  const { config, clock } = installation
  const progress = new Progress(clock)
  if (config.databaseUrl === undefined && existsSync(metadataFile(config))) yield checkDatabase(metadataFile(config))
  for (const store of storesIn(config)) {
    const folder = join(config.dataDir, store)
    if (!isIndexLost(layoutOf(folder))) yield* await readStore(folder, progress) // a lost index is reported elsewhere
  }
  if (config.seriesUrl === undefined && hasPoints(config)) yield* readSeries(seriesDir(config), progress)
}

function checkDatabase(file: string): Finding {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    const [verdict] = database.prepare('pragma integrity_check(1)').all()
    if (verdict?.integrity_check === 'ok') return ok(SUBJECT, `${file}: all of it can be read`)
    return fail(SUBJECT, `${file} is damaged (${verdict?.integrity_check}): stop the server and restore a backup`)
  } finally {
    database.close()
  }
}

async function readStore(folder: string, progress: Progress): Promise<Finding[]> {
  const findings: Finding[] = []
  let count = 0
  await readWholeStore(folder, {
    damaged: (what) => findings.push(fail(SUBJECT, `in ${folder} ${what}: ${MEND_OBJECT}`)),
    read(sizeBytes) {
      count++
      progress.advance(folder, sizeBytes)
    },
    unknown: (contents) => findings.push(...tellUnknown(SUBJECT, folder, contents))
  })
  return findings.length > 0 ? findings : [ok(SUBJECT, `${folder}: all ${count} objects are as they were written`)]
}

function* readSeries(folder: string, progress: Progress): Generator<Finding> {
  let count = 0
  let isSound = true
  for (const { sizeBytes, damage } of readWholeFiles(folder)) {
    count++
    progress.advance(folder, sizeBytes)
    if (damage === undefined) continue
    isSound = false
    yield fail(SUBJECT, `in ${folder} ${damage}: ${putBackFile(damage.slice(0, damage.indexOf(' ')))}`)
  }
  if (isSound) yield ok(SUBJECT, `${folder}: all ${count} files of points are as they were written`)
}

class Progress {
  readonly #clock: Clock
  #toldMs: number
  #sizeBytes = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#toldMs = clock.elapsed()
  }

  advance(folder: string, sizeBytes: number): void {
    this.#sizeBytes += sizeBytes
    if (this.#clock.elapsed() - this.#toldMs < EVERY_MS) return
    this.#toldMs = this.#clock.elapsed()
    console.error(`  reading ${folder}, ${Math.round(this.#sizeBytes / MIB)} MiB so far`)
  }
}

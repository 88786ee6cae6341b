import type { DatabaseSync } from 'node:sqlite'
import { type Checkpoint, filesOf } from '../protocol/checkpoint.ts'

/** The kept files that checkpoints name, each with its pipeline. */
export function keptNamesIn(database: DatabaseSync): Map<string, string> {
  const owners = new Map<string, string>()
  for (const row of database.prepare('select pipeline_id, checkpoint from pipeline_checkpoints').iterate()) {
    const files = filesOf(JSON.parse(row.checkpoint as string) as Checkpoint)
    for (const name of files) owners.set(name, `pipeline ${row.pipeline_id}`)
  }
  return owners
}

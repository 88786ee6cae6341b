import { type Clock, systemClock } from '../../clock.ts'
import type { Outbound } from '../../outbound/index.ts'
import type { FilePlace } from '../files/place.ts'
import { HttpFilePlace } from '../http-file/place.ts'
import type { Driver } from '../index.ts'
import { ObjectsPlace } from '../objects/place.ts'
import { type FileSettings, fileDatabaseSchema, placesOf, settingsOf } from './config.ts'
import { DatabaseCopy } from './copy.ts'
import { DUCKDB } from './duckdb-dialect.ts'
import type { DatabaseKind } from './heads.ts'
import { FileDatabaseSource } from './source.ts'
import { SQLITE } from './sqlite-dialect.ts'

/** Databases that are one file, at an address or in a bucket. */
export function fileDatabaseDriver(kind: DatabaseKind): Driver {
  return {
    schemaFor: fileDatabaseSchema,
    placesOf,
    async open(config, _source, { outbound, clock = systemClock }) {
      const file = settingsOf(config)
      const place = placeOf(file, outbound, clock)
      const copy = new DatabaseCopy(place, file.path, kind)
      return new FileDatabaseSource({ kind, dialect: kind === 'sqlite' ? SQLITE : DUCKDB, place, copy })
    }
  }
}

function placeOf(file: FileSettings, outbound: Outbound, clock: Clock): FilePlace {
  if (file.kind === 's3') return new ObjectsPlace(file.settings, outbound, clock)
  return new HttpFilePlace(file.settings, outbound, clock)
}

import { systemClock } from '../../clock.ts'
import { filesSettings } from '../files/config.ts'
import { FilesSource } from '../files/source.ts'
import type { Driver } from '../index.ts'
import { type ObjectsKind, objectsSchema, placesOf, settingsOf } from './config.ts'
import { ObjectsPlace } from './place.ts'

/** Files that are objects of a bucket, at the stores that `engines/objects` speaks to. */
export function objectsDriver(kind: ObjectsKind): Driver {
  return {
    schemaFor: (source) => objectsSchema(kind, source),
    placesOf: (config) => placesOf(kind, config),
    async open(config, _source, { outbound, clock = systemClock }) {
      return new FilesSource(new ObjectsPlace(settingsOf(kind, config), outbound, clock), filesSettings(config), clock)
    }
  }
}

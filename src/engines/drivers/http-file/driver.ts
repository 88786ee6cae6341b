import { systemClock } from '../../clock.ts'
import { FilesSource } from '../files/source.ts'
import type { Driver } from '../index.ts'
import { httpFileSchema, placesOf, settingsOf } from './config.ts'
import { HttpFilePlace } from './place.ts'

/** Files that any web server gives, each at an address of its own. */
export const httpFileDriver: Driver = {
  schemaFor: httpFileSchema,
  placesOf,
  async open(config, _source, { outbound, clock = systemClock }) {
    const settings = settingsOf(config)
    const place = new HttpFilePlace(settings, outbound, clock)
    return new FilesSource(place, { patterns: settings.urls, format: settings.format }, clock)
  }
}

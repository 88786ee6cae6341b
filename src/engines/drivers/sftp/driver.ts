import { systemClock } from '../../clock.ts'
import { filesSettings } from '../files/config.ts'
import { FilesSource } from '../files/source.ts'
import type { Driver } from '../index.ts'
import { placesOf, settingsOf, sftpSchema } from './config.ts'
import { SftpPlace } from './place.ts'

/** Files on a server that is entered by SSH. */
export const sftpDriver: Driver = {
  schemaFor: sftpSchema,
  placesOf,
  async open(config, _source, { outbound, clock = systemClock }) {
    return new FilesSource(new SftpPlace(settingsOf(config), outbound), filesSettings(config), clock)
  }
}

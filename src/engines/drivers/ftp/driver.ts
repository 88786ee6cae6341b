import { systemClock } from '../../clock.ts'
import { filesSettings } from '../files/config.ts'
import { FilesSource } from '../files/source.ts'
import type { Driver } from '../index.ts'
import { ftpSchema, placesOf, settingsOf } from './config.ts'
import { FtpPlace } from './place.ts'

/** Files on an FTP server, encrypted or not. */
export const ftpDriver: Driver = {
  schemaFor: ftpSchema,
  placesOf,
  async open(config, _source, { outbound, clock = systemClock }) {
    return new FilesSource(new FtpPlace(settingsOf(config), outbound), filesSettings(config), clock)
  }
}

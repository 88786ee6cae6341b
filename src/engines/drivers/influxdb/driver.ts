import type { Driver } from '../index.ts'
import { Influx } from './client.ts'
import { influxSchema, placesOf, settingsOf } from './config.ts'
import { InfluxSource } from './source.ts'

/** InfluxDB, and what answers InfluxQL as it does. */
export const influxDriver: Driver = {
  schemaFor: influxSchema,
  placesOf,
  async open(config, source, { outbound }) {
    const settings = settingsOf(config, source)
    return new InfluxSource(new Influx(settings, outbound), settings, outbound)
  }
}

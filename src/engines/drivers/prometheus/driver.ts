import { systemClock } from '../../clock.ts'
import type { Driver } from '../index.ts'
import { Prometheus } from './client.ts'
import { placesOf, prometheusSchema, settingsOf } from './config.ts'
import { PrometheusSource } from './source.ts'

/** Prometheus, and what answers as it does. */
export const prometheusDriver: Driver = {
  schemaFor: prometheusSchema,
  placesOf,
  async open(config, source, { outbound }) {
    const settings = settingsOf(config, source)
    return new PrometheusSource(new Prometheus(settings, outbound), { settings, outbound, clock: systemClock })
  }
}

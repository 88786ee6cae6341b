import type { Driver } from '../index.ts'
import { opcuaSchema, placesOf, settingsOf } from './config.ts'
import { OpcuaSource } from './source.ts'

/** Servers of OPC UA, by opc.tcp. */
export const opcuaDriver: Driver = {
  schemaFor: opcuaSchema,
  placesOf,
  open: async (config, _, needs) => new OpcuaSource(settingsOf(config), needs)
}

import { join } from 'node:path'
import type { Config } from './config.ts'
import { ID_FILE } from './engines/replicas/slot.ts'

/** Where things are in `DATA_DIR`. */
export const slotsDir = (config: Config) => join(config.dataDir, 'replicas')
/** The file that tells this folder, and copies of it, from others. */
export const diskIdFile = (config: Config) => join(slotsDir(config), ID_FILE)
export const metadataFile = (config: Config) => join(config.dataDir, 'metadata.db')
export const secretFile = (config: Config) => join(config.dataDir, 'secret.key')
export const objectsDir = (config: Config) => join(config.dataDir, 'objects')
export const seriesDir = (config: Config) => join(config.dataDir, 'series')
/** Packages that drivers need and that are not shipped, which somebody added. */
export const driversDir = (config: Config) => join(config.dataDir, 'drivers')
export const pipelinesDir = (config: Config) => join(config.dataDir, 'pipelines')
/** This folder and the next belong to one process: replicas may share `DATA_DIR`. */
export const planeDir = (config: Config, processName: string) => join(config.dataDir, 'plane', processName)
export const spoolDir = (config: Config, processName: string) => join(config.dataDir, 'spool', processName)
export const anchorFile = (config: Config) => join(config.dataDir, 'audit-checkpoints.ndjson')
/** This file is there while a restore moves files, so that no server starts on half of them. */
export const unfinishedRestoreFile = (config: Config) => join(config.dataDir, 'restore-unfinished')

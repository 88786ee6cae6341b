import type { LookupFunction } from 'node:net'
import type { NeededPackage } from '../packages.ts'

export const MONGODB: NeededPackage = { name: 'mongodb', version: '7.8.0' }

/** Of the package `mongodb`, what is used of it here. */
export interface MongoPackage {
  readonly MongoClient: new (url: string, options: MongoOptions) => MongoClient
  readonly ObjectId: { createFromHexString(text: string): unknown }
  readonly Long: { fromString(text: string): unknown }
  readonly Decimal128: { fromString(text: string): unknown }
}

export interface MongoOptions {
  readonly directConnection: true
  readonly lookup: LookupFunction
  readonly appName: string
  readonly serverSelectionTimeoutMS: number
  readonly connectTimeoutMS: number
  readonly maxPoolSize: number
  readonly readPreference: string
  readonly tls: boolean
  readonly ca?: string
  readonly auth?: { readonly username: string; readonly password: string }
  readonly authSource?: string
}

export interface MongoClient {
  connect(): Promise<unknown>
  close(): Promise<void>
  db(name: string): MongoDatabase
}

export interface MongoDatabase {
  command(command: object): Promise<unknown>
  listCollections(filter: object, options: object): AsyncIterable<CollectionInfo> & { close(): Promise<void> }
  collection(name: string): { find(filter: object, options: object): MongoCursor }
}

export interface CollectionInfo {
  readonly name: string
  readonly type?: string
}

export interface MongoCursor extends AsyncIterable<Document> {
  close(): Promise<void>
}

export type Document = Readonly<Record<string, unknown>>

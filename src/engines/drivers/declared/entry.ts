/**
 * What a file in `resources/integration-sources` says of a source. Texts named Template may have `{names}` in them,
 * see `template/`. `form.ts` is the same as JSON Schema; a test holds both against each other.
 */
export interface Entry {
  /** The name of its file, too. */
  readonly id: string
  readonly name: string
  readonly category: string
  readonly documentation: string
  /** What to know before connecting one, where there is something. */
  readonly hint?: string
  /** The configuration, in the order of a form. */
  readonly settings: Readonly<Record<string, Setting>>
  readonly authentication: Authentication
  /** Where all paths begin. */
  readonly base: Template
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, Template>>
  /** At most so many requests in so many seconds, by all reads with the same credentials. */
  readonly rate?: { readonly requests: number; readonly seconds: number }
  /** The stream whose first page a test reads, or a request of its own; none where it can't be tested. */
  readonly check?: string | CheckRequest
  /** What streams say unless they say something else. */
  readonly usual?: Partial<StreamEntry>
  readonly streams: Readonly<Record<string, StreamEntry>>
}

/** A text in which `{name}` stands for a value. */
export type Template = string

export interface Setting {
  /** `string` unless said. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'date' | 'date-time'
  readonly title?: string
  readonly description?: string
  /** Whether it is sealed. */
  readonly secret?: true
  readonly optional?: true
  readonly default?: string | number | boolean | readonly string[]
  readonly choices?: readonly string[]
  readonly example?: string | number
  readonly pattern?: string
  /** Needed only where another setting has one of these values. */
  readonly when?: { readonly setting: string; readonly is: readonly string[] }
}

export interface CheckRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: Template
  readonly query?: Readonly<Record<string, Template>>
  readonly headers?: Readonly<Record<string, Template>>
  readonly body?: unknown
}

export interface StreamEntry {
  /** Behind `base`, or an address of its own. */
  readonly path?: Template
  readonly base?: Template
  readonly method?: 'GET' | 'POST'
  readonly query?: Readonly<Record<string, Template>>
  readonly headers?: Readonly<Record<string, Template>>
  /** Sent as JSON; templates in its texts are filled in. */
  readonly body?: unknown
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, Template>>
  /** Where the records are in an answer: names with dots between, `*` for each; empty for the answer itself. A list where a name has a dot in it. */
  readonly records?: string | readonly string[]
  readonly paging?: Paging
  /** The fields that identify a record. */
  readonly key?: string | readonly string[]
  /** How reading goes on. */
  readonly cursor?: CursorEntry
  /** Asked once for each of these. */
  readonly each?: Each
  /** Columns and their types, where they are told; else they are found in records. */
  readonly columns?: Readonly<Record<string, string>>
  /** What is not known for certain about it. */
  readonly uncertain?: string
  /** Why it can't be read. */
  readonly unreadable?: string
}

export type Paging =
  | { readonly kind: 'none' }
  | (PageSize & { readonly kind: 'page'; readonly param: string; readonly in?: ParamPlace; readonly start?: number })
  | (PageSize & { readonly kind: 'offset'; readonly param: string; readonly in?: ParamPlace })
  /** A value of the answer is sent with the next request. `next` is where it is, see `NextPlace`. */
  | (PageSize & { readonly kind: 'cursor'; readonly param: string; readonly in?: ParamPlace; readonly next: NextPlace })
  /** The answer has the address of the next page. */
  | (PageSize & { readonly kind: 'next-url'; readonly next: NextPlace })

export type ParamPlace = 'query' | 'header' | 'body' | 'form'

/**
 * `answer.a.b` (a number counts a list, from its end where negative), `header.Name`, `link.next` (of the header Link),
 * `last.id` (of the last record); `usual` for the places where most interfaces have it.
 */
export type NextPlace = string

export interface PageSize {
  readonly size?: number
  readonly sizeParam?: string
}

export interface CursorEntry {
  /** The field of a record, with dots for members. */
  readonly field: string
  /** How its values are written, as `strftime` has it; `%s` and `%ms` count from 1970. RFC 3339 unless said. */
  readonly format?: string
  /** What is asked from; without it all is read, and what is older is left out here. */
  readonly since?: { readonly param: string; readonly in?: ParamPlace; readonly format?: string }
  readonly until?: { readonly param: string; readonly in?: ParamPlace; readonly format?: string }
  /** The setting that says where the first read begins. */
  readonly start?: string
  /** The longest slice, as an ISO 8601 duration; all at once unless said. */
  readonly step?: string
  /** Read again each time, as an ISO 8601 duration: what changes late. */
  readonly back?: string
}

export type Each =
  /** Each record of another stream: `{parent.name}` is a field of it; `as` gives fields names. */
  | { readonly stream: string; readonly as: Readonly<Record<string, string>> }
  /** Each value of a list: `{parent.name}`. */
  | { readonly values: readonly string[]; readonly as: string }
  /** Each value of a setting that is a list. */
  | { readonly setting: string; readonly as: string }

export type Authentication =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'key'
      readonly in: 'header' | 'query' | 'body' | 'cookie'
      readonly name: string
      readonly value: Template
    }
  | { readonly kind: 'bearer'; readonly token: Template }
  | { readonly kind: 'basic'; readonly user: Template; readonly password: Template }
  | OAuth2
  /** A token that is got by signing in. */
  | {
      readonly kind: 'session'
      readonly login: {
        readonly method?: 'GET' | 'POST'
        readonly url: Template
        readonly headers?: Readonly<Record<string, Template>>
        readonly body?: unknown
        readonly form?: Readonly<Record<string, Template>>
        readonly basic?: { readonly user: Template; readonly password: Template }
      }
      /** Where the token is in the answer, as `records`. */
      readonly token: string
      /** How it is sent; as `Authorization: Bearer` unless said. */
      readonly in?: 'header' | 'query'
      readonly name?: string
      /** Before the token, with a space between them unless it ends in a sign such as `=`. */
      readonly prefix?: string
      /** How long it is good for; until it is refused unless said. */
      readonly seconds?: number
    }
  /** A service account: a signed statement is exchanged for a token. */
  | {
      readonly kind: 'jwt'
      readonly tokenUrl: Template
      readonly issuer: Template
      /** A PEM, or the JSON of a service account: then `{account.client_email}` and its like stand for what it says. */
      readonly key: Template
      readonly algorithm?: 'RS256' | 'ES256' | 'HS256'
      readonly keyId?: Template
      readonly subject?: Template
      readonly audience?: Template
      readonly scopes?: Template
    }
  | {
      readonly kind: 'sigv4'
      readonly service: string
      readonly region: Template
      readonly accessKey: Template
      readonly secretKey: Template
      readonly sessionToken?: Template
    }
  | {
      readonly kind: 'oauth1'
      readonly consumerKey: Template
      readonly consumerSecret: Template
      readonly token: Template
      readonly tokenSecret: Template
      readonly realm?: Template
      /** That of the HMAC; `sha256` unless said. */
      readonly algorithm?: 'sha1' | 'sha256'
    }
  | { readonly kind: 'azure-shared-key'; readonly account: Template; readonly key: Template }
  /** An HMAC over parts of the request. */
  | {
      readonly kind: 'hmac'
      readonly algorithm: 'sha1' | 'sha256' | 'sha512'
      readonly key: Template
      /** What is signed: `{method}`, `{path}`, `{query}`, `{body}`, `{seconds}`, `{milliseconds}`, `{date}` and settings. */
      readonly text: Template
      readonly encoding: 'hex' | 'base64'
      /** `{signature}` and what `text` knows. */
      readonly headers: Readonly<Record<string, Template>>
    }
  /** One of several, by what a setting says. */
  | { readonly kind: 'choice'; readonly setting: string; readonly options: Readonly<Record<string, Authentication>> }

export interface OAuth2 {
  readonly kind: 'oauth2'
  readonly grant: 'client_credentials' | 'refresh_token' | 'password'
  readonly tokenUrl: Template
  readonly clientId?: Template
  readonly clientSecret?: Template
  readonly refreshToken?: Template
  readonly user?: Template
  readonly password?: Template
  readonly scopes?: Template
  /** Where the client says who it is; in the form unless said. */
  readonly client?: 'form' | 'basic'
  readonly form?: Readonly<Record<string, Template>>
  /** Where a person permits it, for `refresh_token`. */
  readonly authorizeUrl?: Template
}

/** What settings that many entries have are about; an entry says it itself where it is something else. */
const DESCRIPTIONS: readonly (readonly [RegExp, string])[] = [
  [/^(client_id|consumer_key|app_id|application_id)(_\d)?$/, 'Names the app that you have registered there'],
  [
    /^(client_secret|consumer_secret|app_secret|application_secret)/,
    'The secret of the app that you have registered there'
  ],
  [/refresh_token/, 'Renews the sign-in; the authorisation gives it, or the page of your app there'],
  [/private_?key$/, 'The private key, as PEM'],
  [/(service_account|credentials_json|application_credentials)/, 'The key file of a service account, as JSON'],
  [
    /api_?key|apikey|auth_key|access_key|secret_key|server-token|account-token/i,
    'A key that you make in the settings of your account there'
  ],
  [/token/i, 'A token that you make in the settings of your account there'],
  [/password/, 'Sealed, and never shown again'],
  [/secret/, 'Sealed, and never shown again'],
  [/^(user_?name|username|user|email|user_email)$/, 'Who signs in'],
  [/^(auth_type|auth_method|option_title|credentials_title|credentials)$/, 'The way to sign in'],
  [
    /sub_?domain$|^(company|site|shop|organization_name|account_name|site_name|my_domain)$/,
    'The first part of the host that your account is at'
  ],
  [/^(domain|domain_name|host|hostname|store_host|customer_domain|shop_domain)$/, 'The host that your account is at'],
  [/(^|_)(url|base_url|endpoint|api_url)(_base)?$|^(url|base)_/, 'The address of your own'],
  [/region|data_?center|api_host|api_server|environment|^env$/, 'Where your account is'],
  [/(start|since|from|begin)/, 'What is older is not read'],
  [/(end|until|to)_?(date|time)/, 'What is newer is not read'],
  [/(_ids|_list|s)$/, 'What is read, one after the other'],
  [/query|search|filter/, 'What is looked for'],
  [/_id$|^id$/, 'The id, as it stands in its address or its settings there']
]

/** Words that are not written as others are. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [
    'GIF',
    'URI',
    'UUID',
    'API',
    'URL',
    'URLs',
    'ID',
    'IDs',
    'IP',
    'AWS',
    'JSON',
    'HTTP',
    'IBAN',
    'SID',
    'UID',
    'GUID',
    'LWA',
    'TPL'
  ].map((word) => [word.toLowerCase(), word])
)

/** Names that say something else than what they are, and those that say too little. */
const TITLES: readonly (readonly [RegExp, string])[] = [
  [/^(auth_type|auth_method|option_title|credentials_title|credentials)$/, 'Way to sign in'],
  [/^q$/, 'Search words'],
  [/^marid$/, 'MAR ID'],
  [/^restid$/, 'Restaurant ID']
]

/** Words that interfaces shorten, or write as one. */
const PLAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ env: 'environment', img: 'image', lang: 'language', lat: 'latitude', lon: 'longitude', org: 'organization' },
    ...{ val: 'value', vs: 'reference', datacenter: 'data center', zipcode: 'zip code' },
    ...{ fullname: 'full name', nameprefix: 'name prefix', outputsize: 'output size', sortby: 'sort by' },
    ...{ marketcapmorethan: 'market cap more than', marketcaplowerthan: 'market cap lower than' },
    ...{ hoorayhrusername: 'username', hoorayhrpassword: 'password' }
  })
)

export const descriptionOf = (name: string): string =>
  DESCRIPTIONS.find(([pattern]) => pattern.test(name))?.[1] ?? 'As the documentation of its makers tells'

/** A name of a setting in words: `api_key` is "API key". A number behind it only tells it from another of its entry. */
export function titleOf(name: string): string {
  const known = TITLES.find(([pattern]) => pattern.test(name))
  if (known !== undefined) return known[1]
  const words = name
    .replace(/^x[-_]/i, '')
    .replace(/_\d?$/, '')
    .replace(/^sub_domain$/, 'subdomain')
    .replace(/^bath_rooms$/, 'bathrooms')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/(api)(key)/gi, '$1 $2')
    .replace(/\b(account|advertiser|app|calendar|company|space|team)(id)$/, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => PLAIN.get(word.toLowerCase()) ?? word.toLowerCase())
    .map((word) => SPELLINGS.get(word) ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

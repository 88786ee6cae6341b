import type { Kind } from './kinds.ts'

/** What the name of a column says about a kind: for it, against it, or nothing. */
export type NameSays = 'for' | 'against' | 'nothing'

interface Terms {
  /** Words, or some in a row, in small letters without accents; with a star at the end also what only begins so. */
  readonly for: string
  readonly against?: string
}

/** Words after which a column tells something about the data rather than the data. */
const ABOUT = new Set(
  'verified confirmed valid validated flag count counts cnt status state type kind enabled length len template format policy version model brand required changed sent opened clicked optin optout allowed consent score quality source provider domain subject'.split(
    ' '
  )
)

/** Words that make a date or a time of whatever comes before them. */
const TIMES = new Set('at on time date timestamp ts'.split(' '))

const TERMS: Readonly<Record<Kind, Terms>> = {
  email: {
    for: 'email*|mail|e mail|courriel|correo|correio|epost|e post|sahkoposti*|poczta|mailadresse|mailadres|emailaddr*|recipient|sender',
    against: 'message id|msgid'
  },
  phone: {
    for: 'phone*|telephone*|telefon*|tel|mobile*|mobil|cell|cellphone|fax|handy*|gsm|msisdn|whatsapp|celular|movil|portable|rufnummer|puhelin*|matkapuhelin*|telefoon*|contact number|contact no|numero telephone|mob|komorka',
    against:
      'delta|change|diff|offset|balance|amount|id|imei|order*|invoice*|sku|part|serial|price|quantity|screen|extension|os'
  },
  'payment-card': {
    for: 'card*|credit card|cc|ccn|creditcard*|pan|kreditkarte*|kartennummer|carte|tarjeta*|cartao*|carta credito|numero carte|kortnummer|karta|kaartnummer',
    against: 'imei|iccid|tracking*|order*|invoice*|serial*|ean|gtin|barcode|loyalty'
  },
  iban: {
    for: 'iban*|bank account|account number|kontonummer|konto|compte|cuenta|conto|rekening*|tilinumero',
    against: ''
  },
  'national-id': {
    for: 'ssn|social security*|nino|national insurance*|ni number|nhs*|steuer id*|steuerid*|steuer identifikationsnummer|idnr|tax id*|taxid|tin|nir|securite sociale|secu|codice fiscale|codicefiscale|cf|dni|nie|nif|bsn|burgerservicenummer|rijksregister*|registre national|niss|pesel|personnummer|personal number|personal id*|hetu|henkilotunnus|cpr*|fodselsnummer|fnr|cpf|aadhaar*|aadhar*|uidai|sin|ahv*|avs*|svnr|sozialversicherung*|tckn|tc kimlik*|kimlik*|cnp|rrn|jumin*|curp|tfn|rodne cislo|oib|national id*|nationalid|nat id|citizen id*|id number|identity number|id card*|idcard|insurance number|sa id|resident id*|shenfenzheng|insee',
    against:
      'siren|siret|ean*|upc|gtin|isbn|imei|order*|invoice*|sku|part|serial*|tracking*|batch|lot|vat|ticket*|article*|product*|asset|epoch|unix|article|shipment*|transaction*|account'
  },
  'person-name': {
    for: 'name|full name|fullname|first name|firstname|last name|lastname|surname|given name|givenname|family name|familyname|forename|middle name|maiden name|vorname*|nachname*|familienname|nom|prenom|nombre|apellido*|nome|cognome|sobrenome|imie|nazwisko|etunimi|sukunimi|fornamn|efternamn|fornavn|etternavn|efternavn|voornaam|achternaam|naam|patient*|customer name|employee*|contact person|owner|author|manager|assignee|beneficiary|cardholder|holder|kunde|mitarbeiter|ansprechpartner',
    against:
      'product*|item*|company*|brand*|file*|host*|user name|username|city|town|country|region|state|street*|department|team|project|table|column|field|server|device*|sensor*|machine*|site*|plant*|event*|campaign*|category*|color|colour|model|vendor|supplier*|store*|shop*|bank*|hotel*|school*|station*|role|job|title|position|sku|pet*|planet|month|day|ship|vessel|font|species|song|album|movie|book*|display|domain|tag|metric*|firma|produkt*|produit*|producto*|prodotto*|artikel*|stadt|ville|ciudad|citta|land|pays|pais|class|variant*|recipe*|dish*|drink*|team|club|league|stadium|street|strasse|rue|bucket*|schema|queue|topic|process*|step|node|pipeline*|currency|language*|package*|module|function|method|branch'
  },
  'postal-address': {
    for: 'address*|addr|street*|strasse|str|adresse*|anschrift|wohnort|direccion*|domicilio|indirizzo*|endereco*|morada|logradouro|adres*|osoite|adress*|residence|home|shipping|billing|rue|via|calle|ulica',
    against:
      'ip*|mac|email*|e mail|mail|web*|url|wallet|memory|bus|host|hex|port|register|eth|btc|crypto*|network|node|log*|message'
  },
  'birth-date': {
    for: 'birth*|dob|bday|born|date of birth|geburt*|geb|gebdatum|naissance|ne le|nacimiento|fecha nacimiento|nascita|nascimento|urodz*|data urodzenia|syntyma*|fodelse*|fodsel*|fodt*|geboorte*|date naissance|d o b',
    against: 'created*|updated*|modified*|registered*|issued*|expiry|expires|certificate|order*|hire*|start|end|login'
  },
  'ip-address': {
    for: 'ip|ipv4|ipv6|ip address|ipaddr*|ipaddress*|client ip|remote addr|remote ip|src ip|dst ip|source ip|host|gateway|dns|subnet|cidr|adresse ip|direccion ip',
    against: 'version*|build|release*|firmware*|oid|section|chapter|clause|revision|paragraph'
  },
  'mac-address': {
    for: 'mac*|hwaddr|hardware address|ethernet|bssid|wlan|device address|physical address|eui',
    against: 'hash|checksum|commit|digest|sha*|md5|etag|machine*|macro*'
  },
  coordinates: {
    for: 'lat|latitude*|lon|lng|longitude*|long|breitengrad|langengrad|laengengrad|breite|lange|laenge|coord*|geo*|gps*|position|location|point|standort|latitud|longitud|koordinat*|latitudine|longitudine|leveysaste|pituusaste|szerokosc|dlugosc|ubicacion|posizione',
    against: 'ms|latency|seconds|duration|price|rate|short|offset|mm|cm|meters|km|temperature|voltage|ratio|percent'
  },
  secret: {
    for: 'password*|passwd|pwd|passphrase|secret*|token*|api key|apikey*|access key|accesskey|private key|privatekey|credential*|passwort*|kennwort|mot de passe|mdp|contrasena|clave|senha|wachtwoord|haslo|losenord|salasana|auth key|client secret|signing key|bearer|session key|encryption key|key secret',
    against:
      'hash sha*|checksum|etag|commit|digest|santa|name|hint|question|url|uri|token id|secret id|session id|position|symbol|address|expires|expiry|last|next|public|username|user|idx|index'
  }
}

type Phrase = { readonly words: readonly string[]; readonly isBeginning: boolean }

const phrasesOf = (text = ''): Phrase[] =>
  text
    .split('|')
    .filter((term) => term !== '')
    .map((term) => ({ words: term.replace('*', '').split(' '), isBeginning: term.endsWith('*') }))

const PHRASES = Object.fromEntries(
  Object.entries(TERMS).map(([kind, terms]) => [kind, { for: phrasesOf(terms.for), against: phrasesOf(terms.against) }])
) as unknown as Readonly<Record<Kind, { readonly for: readonly Phrase[]; readonly against: readonly Phrase[] }>>

const LONGEST_NAME = 200

/** The words of a name in small letters, without accents: `customerE-Mail_2` is customer, e, mail. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, LONGEST_NAME)
    .replace(/ß/g, 'ss')
    .replace(/[øØ]/g, 'o')
    .replace(/[łŁ]/g, 'l')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
}

/** What the words of a name say about a kind. What is about the data, as `email_verified`, says nothing for it. */
export function nameSays(words: readonly string[], kind: Kind): NameSays {
  const phrases = PHRASES[kind]
  if (phrases.against.some((phrase) => isIn(words, phrase))) return 'against'
  if (!phrases.for.some((phrase) => isIn(words, phrase))) return 'nothing'
  const last = words.at(-1) as string
  if (words.some((word) => ABOUT.has(word)) || words[0] === 'is' || words[0] === 'has') return 'against'
  return TIMES.has(last) && kind !== 'birth-date' ? 'against' : 'for'
}

function isIn(words: readonly string[], { words: wanted, isBeginning }: Phrase): boolean {
  for (let from = 0; from + wanted.length <= words.length; from++) {
    const isHere = wanted.every((word, at) => {
      const own = words[from + at] as string
      return own === word || (isBeginning && at === wanted.length - 1 && own.startsWith(word))
    })
    if (isHere) return true
  }
  return false
}

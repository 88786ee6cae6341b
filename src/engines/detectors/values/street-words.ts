/** Words that streets end with, or are called by before their number: the last word of a name. */
export const LAST_WORDS = (
  'street st road rd avenue ave lane ln drive dr boulevard blvd way court ct square sq terrace ter crescent cres close parkway pkwy highway hwy place pl circle mews grove gardens alley turnpike expressway quay wharf ' +
  'nagar marg chowk vihar straße strasse str weg platz gasse allee ring damm ufer chaussee steig pfad promenade graben zeile straat laan plein kade gracht singel dijk weg ' +
  'gatan vägen gata väg gränd torg stigen torget katu tie polku kuja kaari vej gade gt vei veien gaten stræde ulica ulice utca út útja tér körút ' +
  'caddesi cad cadde sokak sokağı sok sk bulvarı bulv mahallesi mah mh'
).split(' ')
/** Ends of names that are written in one word. */
export const ENDINGS = (
  'straße strasse str weg platz gasse allee damm ufer chaussee promenade steig graben zeile straat laan plein kade gracht singel dijk dreef steeg gatan vägen gränden stigen torget backen gränd ' +
  'katu tie kuja polku kaari vej vejen gade veien vegen gaten stræde alléen vænget'
).split(' ')
/** Words that come before the name. */
export const FIRST_WORDS = (
  'rue avenue av ave boulevard bd blvd chemin impasse allée allee place quai cours route rte ruelle sentier faubourg passage via viale piazza piazzale corso largo vicolo strada contrada borgo lungomare ' +
  'calle avenida avda plaza paseo carrer carretera camino ronda glorieta travesía rua travessa praça alameda estrada rodovia beco ' +
  'ul ulica aleja aleje al plac pl os osiedle rynek nám náměstí třída nábřeží jalan jl strada str calea aleea șoseaua bulevardul postfach apartado'
).split(' ')
/** The same in Cyrillic and Greek letters, wherever they stand. */
export const RARE_STREET_WORDS = (
  'улица ул проспект просп пр-т пр-кт переулок пер шоссе площадь пл бульвар бул б-р набережная наб проезд тракт аллея тупик микрорайон мкр ' +
  'вулиця вул провулок пров площа бульв набережна οδός οδ λεωφόρος λεωφόρου λεωφ πλατεία πλ'
).split(' ')

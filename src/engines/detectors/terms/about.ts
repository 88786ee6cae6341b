const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

/** Words after which a column tells something about the data rather than the data. */
export const ABOUT_WORDS = wordsOf(`
verified confirmed valid validated flag flags count counts cnt status state type types kind enabled disabled length len template format policy version model brand required changed sent opened
clicked optin optout allowed consent score quality source provider domain subject group groups class classes category segment level rank rating method reason result check error errors
total avg sum min max rate ratio percent pct age days limit size bytes exists available missing bounced blocked locked expired subscribed unsubscribed preferences preference setting settings
label prefix suffix attempts retries usage description desc comment comments note notes visible hidden color colour icon image photo picture url link role permission permissions schema column
typ art anzahl status gültig geprüft bestätigt gruppe klasse kategorie bemerkung statut état type groupe classe catégorie remarque
tipo estado grupo clase categoría cantidad válido verificado nota stato gruppo classe categoria quantità valido quantidade situação
rodzaj stan grupa klasa kategoria liczba soort aantal groep klasse categorie antal grupp klass antall gruppe tyyppi tila ryhmä luokka määrä
tür durum grup sınıf sayı počet stav skupina třída τύπος κατάσταση ομάδα κατηγορία πλήθος тип статус группа класс категория количество флаг група клас категорія кількість
`)

/** Words that make a date or a time of whatever comes before them. */
export const TIME_WORDS = wordsOf('at on time date timestamp ts')

/** Words between others that change nothing. */
export const SMALL_WORDS = wordsOf('of the de du da do des del della di der la le und and y et e i el')

/** Parts of words that are often written in one with what they belong to: `custphone`, `kdtel`, `EMPNM`. */
export const JOINED_WORDS = wordsOf(`
cust customer client clt kd kunden kunde emp employee empl usr user pat patient patienten contact cont kontakt person pers vendor supplier lieferant lief member guest home work priv privat business
office main primary second alt alternate emergency notfall billing bill shipping ship delivery deliv no nr num number nummer nmbr numero tel telno phone mobile cell fax email mail addr address adr adresse line
street city zip date dat datum dt day name nm names first last full middle given family login db web app wifi admin root smtp ftp ldap sql
file host path tag class node table column product item company brand key id type status flag count
`)

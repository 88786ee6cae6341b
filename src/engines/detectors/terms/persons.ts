import type { Terms } from './terms.ts'

/** What people are where data are about them, in words of which English, German and the like put the head last. */
const ROLES = [
  'patient, employee, worker, staff member, staff, driver, chauffeur, captain, crew member, passenger, guest, visitor, attendee, participant, delegate, applicant, candidate, student, pupil, teacher, ' +
    'instructor, trainer, tutor, lecturer, professor, coach, mentor, trainee, apprentice, intern, technician, inspector, auditor, examiner, supervisor, foreman, manager, director, owner, landlord, lessee, ' +
    'lessor, renter, resident, occupant, cardholder, accountholder, policyholder, shareholder, insured, claimant, plaintiff, defendant, witness, victim, suspect, judge, lawyer, attorney, solicitor, notary, doctor, ' +
    'physician, surgeon, nurse, midwife, dentist, therapist, member, donor, adviser, advisor, salesperson, salesman, sales rep, cashier, waiter, clerk, beneficiary, borrower, guarantor, signatory, ' +
    'signer, trustee, nominee, guardian, mother, father, spouse, husband, wife, sibling, next of kin, kin, emergency contact, heir, contact person, contactperson, assignee, requester, requestor, ' +
    'approver, submitter, addressee, custodian, caretaker, author, coauthor, writer, reviewer, translator, composer, referee, citizen, deceased, investigator, researcher, caller, speaker, presenter, ' +
    'organizer, organiser, chairman, president, secretary, treasurer, person in charge, account team lead, shift lead, line lead, project lead, care giver, caregiver, rider, traveller, traveler, inmate, juror',
  'kunde, kundin, patientin, mitarbeiter, mitarbeiterin, *mitarbeiter, ansprechpartner, ansprechpartnerin, *ansprechpartner, sachbearbeiter, sachbearbeiterin, *bearbeiter, bearbeiter, kontaktperson, *fahrer, fahrer, fahrerin, ' +
    'fahrgast, gast, teilnehmer, teilnehmerin, *teilnehmer, bewerber, bewerberin, schüler, schülerin, studentin, studierender, lehrer, lehrerin, *lehrer, dozent, arzt, ärztin, *arzt, pfleger, krankenschwester, ' +
    'versicherter, versicherte, versicherungsnehmer, antragsteller, kontoinhaber, karteninhaber, *inhaber, eigentümer, mieter, vermieter, besucher, verfasser, autor, autorin, prüfer, gutachter, betreuer, ' +
    'berater, *berater, projektleiter, abteilungsleiter, teamleiter, schichtleiter, filialleiter, betriebsleiter, vorgesetzter, verantwortlicher, verantwortliche, zeuge, richter, anwalt, *anwalt, notar, vater, mutter, ' +
    'ehepartner, ehegatte, ehefrau, ehemann, vormund, bevollmächtigter, unterzeichner, werker, *führer, monteur, techniker, disponent, empfänger, absender, begleitperson, notfallkontakt, angehöriger, arbeitnehmer, ' +
    'beschäftigter, azubi, praktikant, fahrzeughalter, mitglied, spender, person, bediener, geschäftsführer, verkäufer, hausarzt',
  'mottaker, mottagare, modtager, vastaanottaja, ontvanger, příjemce, alıcı, destinataire, destinatario, expéditeur, remitente, mittente, remetente, avsändare, afsender, lähettäjä, afzender, címzett, παραλήπτης, αποστολέας, ' +
    'medewerker, werknemer, huisarts, verpleegkundige, bestuurder, passagier, deelnemer, kandidaat, sollicitant, leerling, docent, leraar, auteur, contactpersoon, verantwoordelijke, rekeninghouder, kaarthouder, ' +
    'begunstigde, verzekerde, aanvrager, huurder, verhuurder, eigenaar, bewoner, ondertekenaar, getuige, advocaat, notaris, rechter, vader, moeder, bezoeker, verkoper, adviseur, behandelaar, klant',
  'anställd, medarbetare, läkare, sjuksköterska, förare, passagerare, gäst, deltagare, sökande, lärare, författare, ansvarig, ägare, innehavare, kontoinnehavare, försäkringstagare, hyresgäst, vittne, advokat, ' +
    'domare, medlem, besökare, handläggare, chef, kund, ansatt, medarbejder, pasient, lege, læge, sykepleier, sygeplejerske, passasjer, gjest, deltaker, deltager, søker, lærer, forfatter, eier, ejer, ' +
    'innehaver, kontohaver, leietaker, lejer, vitne, dommer, saksbehandler, sagsbehandler, leder',
  'työntekijä, potilas, lääkäri, hoitaja, kuljettaja, matkustaja, vieras, osallistuja, hakija, oppilas, opiskelija, opettaja, kirjoittaja, tekijä, yhteyshenkilö, vastuuhenkilö, omistaja, haltija, vuokralainen, ' +
    'todistaja, asianajaja, tuomari, isä, äiti, puoliso, lapsi, jäsen, kävijä, myyjä, esimies, asiakas',
  'çalışan, personel, hasta, doktor, hekim, hemşire, şoför, sürücü, yolcu, misafir, katılımcı, aday, öğrenci, öğretmen, yazar, sorumlu, sahibi, sigortalı, başvuran, kiracı, tanık, avukat, hakim, ' +
    'çocuk, üye, ziyaretçi, müdür, müşteri, yetkili, ilgili kişi',
  'pracownik, pacjent, lekarz, pielęgniarka, kierowca, pasażer, gość, uczestnik, kandydat, uczeń, nauczyciel, wykładowca, opiekun, właściciel, najemca, posiadacz, beneficjent, ubezpieczony, wnioskodawca, osoba, ' +
    'osoba kontaktowa, podpisujący, świadek, adwokat, notariusz, sędzia, ojciec, matka, małżonek, dziecko, członek, odbiorca, nadawca, kierownik, dyrektor, klient',
  'zaměstnanec, pacient, lékař, sestra, řidič, vodič, cestující, účastník, uchazeč, žák, učitel, kontaktní osoba, odpovědná osoba, majitel, vlastník, držitel, pojištěnec, žadatel, nájemce, svědek, advokát, notář, soudce, ' +
    'otec, manžel, manželka, dítě, člen, návštěvník, zákazník, vedoucí, ředitel, zamestnanec, lekár, učiteľ, zákazníčka, dolgozó, beteg, orvos, ügyfél, vevő, angajat, pacientă, medic, șofer, zaposlenik',
  'υπάλληλος, εργαζόμενος, ασθενής, γιατρός, ιατρός, οδηγός, επιβάτης, πελάτης, υπεύθυνος, μαθητής, φοιτητής, καθηγητής, ιδιοκτήτης, δικαιούχος, συγγραφέας, εκπρόσωπος',
  'сотрудник, работник, пациент, врач, водитель, пассажир, гость, участник, кандидат, студент, ученик, преподаватель, учитель, автор, ответственный, владелец, держатель, получатель, отправитель, застрахованный, ' +
    'заявитель, арендатор, свидетель, адвокат, нотариус, судья, отец, мать, супруг, ребенок, член, посетитель, менеджер, руководитель, директор, контактное лицо, исполнитель, клиент, начальник, инспектор, ' +
    'співробітник, працівник, пацієнт, лікар, водій, пасажир, гість, учасник, учень, вчитель, викладач, відповідальний, власник, клієнт, керівник'
]

/** The same where a language puts the head first: `responsable_tienda`. */
const ROMANCE_ROLES = [
  'salarié, employé, médecin, infirmier, infirmière, conducteur, passager, invité, candidat, élève, étudiant, enseignant, professeur, formateur, rédacteur, relecteur, responsable, titulaire, bénéficiaire, assuré, demandeur, ' +
    'locataire, propriétaire, bailleur, interlocuteur, signataire, témoin, avocat, notaire, juge, père, mère, conjoint, époux, épouse, enfant, tuteur, adhérent, visiteur, voyageur, vendeur, conseiller, gestionnaire, technicien, ouvrier, ' +
    'encadrant, directeur, gérant, chef équipe, chef projet, acheteur, auteur',
  'empleado, trabajador, paciente, médico, enfermera, enfermero, chofer, pasajero, huésped, invitado, participante, candidato, alumno, estudiante, profesor, maestro, docente, titular, beneficiario, asegurado, solicitante, inquilino, ' +
    'arrendatario, propietario, firmante, testigo, abogado, notario, juez, padre, madre, cónyuge, esposo, esposa, hijo, hija, socio, visitante, viajero, vendedor, asesor, gerente, jefe, supervisora, encargado, técnico, operario, persona contacto',
  'dipendente, paziente, infermiere, autista, conducente, passeggero, ospite, partecipante, alunno, studente, insegnante, professore, autore, responsabile, titolare, intestatario, beneficiaria, assicurato, richiedente, locatario, ' +
    'proprietario, referente, firmatario, testimone, avvocato, notaio, giudice, coniuge, figlio, tutore, visitatore, venditore, consulente, direttore, addetto, tecnico, nominativo, operatore',
  'funcionário, colaborador, empregado, enfermeiro, motorista, condutor, passageiro, hóspede, convidado, aluno, estudante, autor, responsável, segurado, requerente, signatário, testemunha, advogado, juiz, pai, mãe, cônjuge, ' +
    'filho, diretor, encarregado, utente, chefe, médica'
]

/** Chinese, Japanese and Korean words, which stand last in what they are a part of. */
const EASTERN = [
  '姓名, 真实姓名, 联系人, 聯絡人, 负责人, 負責人, 患者姓名, 病人姓名, 客户姓名, 员工姓名, 持卡人, 户主, 开户人, 收件人, 收货人, 寄件人, 发件人, 申请人, 经办人, 操作员, 审批人, 审核人, 投保人, 被保险人, 受益人, ' +
    '法人代表, 法定代表人, 监护人, 配偶, 驾驶员, 司机, 乘客, 旅客, 医生, 医师, 護士, 护士, 患者, 病人, 老师, 教师, 学生, 员工, 员工名, 作者, 业务员, 经理, 客户名字, 员工名字, xingming, lianxiren',
  '氏名, お名前, 苗字, フリガナ, ふりがな, 氏名カナ, カナ氏名, 担当者, 担当者名, 担当, 患者名, 顧客名, お客様名, 従業員名, 従業員, 社員名, 社員, 医師, 医師名, 主治医, 看護師, 運転者, 運転手, 乗客, 宿泊者, 宿泊者名, 参加者, 応募者, 生徒, 先生, ' +
    '契約者, 契約者名, 被保険者, 名義人, 口座名義, 口座名義人, カード名義, カード名義人, 受取人, 宛名, 申請者, 作成者, 更新者, 承認者, 責任者, 保護者, 配偶者, 代表者, 代表者名, 作業者, 作業員, 著者, shimei, namae',
  '성명, 성함, 고객명, 고객이름, 환자명, 환자이름, 환자성명, 직원이름, 환자, 직원명, 사원명, 사원이름, 담당자, 담당자명, 예금주, 수령인, 수취인, 수령인명, 예금주명, 보호자명, 신청인명, 신청인, 신청자, 보호자, 대표자, 대표자명, 작성자, 의사명, 학생명, 학생이름, 학생, 고객, 직원, 사원, 회원, 교사명, 운전자, 승객, 승객명, 계약자, ' +
    '계약자명, 피보험자, 회원명, 주치의, 담당의, ireum, seongmyeong'
]

/** A word for names, which are also names of things: it counts alone, and beside words that are about people. */
const NAME_WORDS =
  'name, names, nm, ename, neve, holder, nom, nombre, nombres, nome, naam, namn, navn, nimi, imię, imiona, jméno, meno, név, nume, ime, isim, ad, adı, όνομα, имя, імя, імʼя, ім я, onoma, imya, नाम, naam, 名, 姓, 氏, 姓カナ, 名カナ, セイ, メイ, 名字, 名前, 이름, 성'

export const PERSON_NAME: Terms = {
  for: [
    'full name, fullname*, first name*, firstname*, last name*, lastname*, surname*, sur name, given name*, givenname*, family name*, familyname*, forename*, middle name, middlename, maiden name, lname, fname, mname, l name, ' +
      'f name, first nm, last nm, lst nm, lstname, frstname, fst name, person name, legal name, preferred name, patient name, christian name, name first, name last, name full, name family, name given, contact person, emergency contact, child name, parent name, behandelend arts, hausarzt',
    'vorname*, nachname*, familienname*, zuname, rufname, geburtsname, vorna, nachn, nachnam, vornam, *vorname, *nachname, ledigname, name vorname',
    'nom famille, nom prénom, prénom*, nom naissance, nom complet, nom usage, apellido*, nombre completo, cognome*, nome cognome, nominativo, sobrenome, apelido, nome completo, último nome, primeiro nome',
    'nazwisko*, imię nazwisko, etunim*, sukunim*, kokonimi, förnamn*, efternamn*, fornavn*, etternavn*, efternavn*, fulde navn, voornaam*, achternaam*, tussenvoegsel, roepnaam',
    'soyad*, ad soyad*, adı soyadı, adsoyad*, příjmení*, křestní jméno, celé jméno, priezvisko*, vezetéknév, keresztnév, családnév, prenume*, prezime*',
    'επώνυμο*, ονοματεπώνυμο*, πατρώνυμο, eponymo, onomateponymo, фио, ф и о, фамилия*, отчество, fio, familiya, otchestvo, піб, прізвище*, по батькові, фамилно име'
  ],
  against: [
    'product*, item*, company*, brand*, file*, host*, user name, username, city, town, country, region, state, street*, department*, team, project, table, column, field, server, device*, sensor*, machine*, site*, plant*, event*, ' +
      'campaign*, category*, color, colour, model, vendor, supplier*, store*, shop*, bank*, hotel*, school*, station*, role, job, title, position, sku, pet*, planet, month, day, ship, vessel, font, species, song, album, movie, book*, ' +
      'domain, tag, metric*, class, variant*, recipe*, dish*, drink*, club, league, stadium, street, bucket*, schema, queue, topic, process*, step, node, pipeline*, currency, language*, package*, module, function, method, branch',
    'pump*, valve*, motor, alarm*, line, area, zone, unit, tank, robot, cell, room, floor, building*, asset*, equipment*, signal*, parameter*, material*, batch, account name, fund, plan, index, group*, service*, app, application*, ' +
      'software, system*, account type, screen, nick*, code*, key, alias, network, ssid, wifi, path, folder, hospital, clinic, ward, airline, airport, carrier, stock, document*, report*, type, license*',
    'firma*, produkt*, produit*, producto*, prodotto*, produto*, artikel*, artículo*, articolo, stadt, ville, ciudad, città, cidade, land, pays, país, paese, strasse, rue, datei*, fichier*, arquivo, archivo*, maschine*, anlage*, gerät*, ' +
      'abteilung*, filiale*, marke, marka, urun, şehir, miasto, nazwa pliku, plik*, stad, maskin*, tuote*, yritys, kaupunki, empresa*, entreprise*, azienda, společnost, výrobek, fil, tiedosto, dosya*, şirket',
    'manufacturer*, maker, lieferant*, auftraggeber, proveedor*, fournisseur*, fornitore, fornecedor*, dostawca, leverancier, leverantör, toimittaja, tedarikçi, dodavatel, titel, titre, título, titolo, tytuł, başlık, schule*, escuela, école, ' +
      'scuola, krankenhaus*, klinik*, projekt*, projet, proyecto, progetto, farbe*, couleur, modell*, modelo, modèle, modello, kampagne*, veranstaltung*, évènement, evento, verein*, mannschaft*, équipe, equipo, squadra, ' +
      'schiff*, buque, navire, nave, navio, schip, statek, fartyg, laiva, gemi, loď, haustier*, mascota, animal, animale, tier, buch, libro, livre, boek, książka, kniha, film, película, lied, canción, chanson, canzone, wein, vino, vin, ' +
      'hersteller, fabricante, fabricant, produttore, producent*, výrobce, üretici, standort, sitio, lieu, sede, werk, halle, linie, línea, ligne, linea, linia, pumpe*, ventil*, pump*',
    'файл*, сервер*, имя пользователя, логин, товар*, продукт*, компани*, организаци*, город*, поставщик, производитель, судно, корабль, цех, насос, πλοίο, προϊόν*, εταιρεία*, αρχείο, πόλη'
  ],
  lastly: [...ROLES, ...EASTERN],
  firstly: ROMANCE_ROLES,
  alone: [NAME_WORDS],
  beside: [
    'full, first, last, middle, given, family, customer, client, cust, kunden, kunde, contact, person, emp, employee*, patient*, native, local, latin, cyrillic, kana, kanji, romaji, pinyin, en, ru, cn, jp, de, fr, zh, ja, ko, ua, original, ' +
      'legal, complete, completo, completa, complet, new, old, previous, birth, preferred, of, del, du, da, des, do, di, la, le, el, the, und, and, y, et, e, i, a, line, txt, str, col, his, her, their, real, true, own, mr, mrs, ' +
      'patienten, pat, pt, tenant, courier, editor, card, account, policy, license, licence, kunden, mitarbeiter, klant, patiënt, kund, kunde, potilaan, asiakkaan, baba, anne, anyja, πατρός, μητρός, отца, матери, drugie, second, recipient, receiver, husband, witness, operator, engineer, agent, buyer, seller, payee, payer, sender, child, parent, pilot, party, user full, cliente, client, klient, klienta, pacjenta, pracownika, pacienta, zákazníka, müşteri, personel, hasta, клиента, пациента, сотрудника, полное, повне, πελάτη, ασθενούς'
  ]
}

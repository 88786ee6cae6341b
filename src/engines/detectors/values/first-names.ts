/** First names that many people have, in the languages of Europe and some others, without accents. */
const NAMES = `
Aaron Abdul Abdullah Abigail Adam Adriana Adrian Agata Agnes Agnieszka Ahmed Ahmet Aino Aisha Alain Alan Albert Alberto Aleksandra Aleksander Alejandra Alejandro
Alessandra Alessandro Alessia Alex Alexander Alexandra Alexandre Alexis Alfonso Alfred Ali Alice Alicia Alina Allison Amanda Amelia Amelie Amir Amit Amy Ana Anders
Andre Andrea Andreas Andrei Andres Andrew Andrzej Angel Angela Angelika Angelo Anil Anita Anja Anke Ann Anna Anne Anneli Annika Antoine Anton Antonella Antonia
Antonio Anthony Antti Arjun Arne Arnaud Arthur Artur Arturo Asha Ashley Astrid Audrey August Aurelie Axel Ayse Barbara Bartosz Beata Beatrice Beatriz Ben Benjamin
Benoit Bernard Bernd Bert Bianca Birgit Bjorn Bo Bob Brandon Brenda Brian Brigitte Britta Bruno Camila Camilla Camille Carina Carl Carla Carlo Carlos Carmen Carol
Carolin Carolina Caroline Catherine Cecilia Celine Cesar Charles Charlie Charlotte Chiara Chloe Chris Christa Christian Christiane Christina Christine Christoph
Christopher Claire Clara Claudia Claudio Clement Cristina Cynthia Dagmar Damian Dan Daniel Daniela Daniele Danielle Danuta Dario David Davide Deborah Denis Denise
Dennis Deepak Diana Diane Diego Dieter Dirk Dominik Dominique Donald Donna Dorota Dorothea Dorothy Doris Douglas Dylan Eduardo Edward Edyta Eero Eeva Eleanor Elena
Eleonora Elias Elisa Elisabeth Elise Elizabeth Ella Ellen Elsa Elina Emilia Emilie Emily Emil Emma Emmanuel Enrico Enrique Eric Erica Erik Erika Erin Ernst Esther
Ethan Eugene Eva Evelyn Ewa Fabian Fabio Fatima Federica Federico Felix Fernanda Fernando Filip Filippo Finn Fiona Florian Frances Francesca Francesco Francisco
Franco Francois Francoise Frank Franz Frederic Frederick Frederik Frida Friedrich Gabriel Gabriela Gabriele Gabriella Gary Gemma George Georg Georgia Gerald Gerard Gerhard
Gerrit Giacomo Gianni Gilles Giorgio Giorgia Giovanni Giovanna Giulia Giulio Giuseppe Gloria Grace Grazyna Gregory Grzegorz Guido Guillaume Gunter Gustav Guy Halina Hanna
Hannah Hannele Hannes Hans Harald Harry Hassan Heather Hector Heike Heikki Heinz Helen Helena Helene Helga Helmut Hendrik Henri Henrik Henry Herbert Hilde Hiroshi Holger
Hugo Ian Ibrahim Ida Ignacio Ines Inga Inge Ingrid Irena Irene Iris Irma Isaac Isabel Isabella Isabelle Ivan Ivana Jack Jackson Jacob Jacqueline Jacques Jaime Jakob
Jakub James Jamie Jan Jana Jane Janet Janina Jason Javier Jean Jeanne Jeff Jeffrey Jennifer Jens Jeremy Jerzy Jessica Jesus Jill Jim Joan Joana Joanna Joao Joachim Joe Joel
Johan Johanna Johannes John Johnny Jolanta Jonas Jonathan Jorg Jorge Jose Josef Joseph Joshua Joyce Juan Juana Judith Judy Juha Jukka Julia Julian Juliana Julie Julien
Juliette Julio Jurgen Justin Justyna Kaisa Kamil Karen Karin Karl Karolina Katarina Katarzyna Kate Katharina Katherine Kathleen Kathrin Kathryn Katja Katrin Kelly Ken
Kenneth Kerstin Kevin Kim Kirsten Kjell Klara Klaus Konrad Kristian Kristin Kristina Krystyna Krzysztof Kurt Kyle Lara Larry Lars Laura Lauren Laurence Laurent Lea Leah
Leena Lena Leo Leon Leonardo Leonie Leticia Lewis Liam Lina Linda Linnea Lionel Lisa Liz Logan Lorenzo Louis Louise Luca Lucas Lucia Luciana Lucie Lucy Ludwig Luigi Luis Luisa
Lukas Lukasz Luke Lydia Maarten Maciej Madeleine Madison Magda Magdalena Magnus Maja Malgorzata Manfred Manon Manuel Manuela Marc Marcel Marcelo Marcin Marco Marcos Marek
Margaret Margarita Margit Maria Mariana Marianne Marie Mariusz Marijke Marina Mario Marion Marjatta Mark Markku Marko Markus Marlene Marta Martha Martin Martina Martine
Martti Mary Massimo Mateo Mateusz Mathias Mathieu Mathilde Matias Matteo Matthew Matthias Matti Maurice Mauricio Max Maxime Maximilian Maya Mehmet Megan Melanie Melissa Mia
Michael Michaela Michal Michel Michele Michelle Miguel Mika Mikael Mike Mikko Mila Minna Miriam Mohamed Mohammad Mohammed Monica Monika Monique Morten Mustafa Nadia Nadine
Nancy Natalia Natalie Natasha Nathalie Nathan Neha Niels Nick Nico Nicola Nicolas Nicole Niklas Nils Nina Noah Noel Noemi Nora Norbert Olaf Ole Oleg Olga Oliver Olivia
Olivier Omar Oscar Oskar Otto Owen Pablo Paola Paolo Pascal Patricia Patrick Patrik Paul Paula Pauline Paulo Pawel Pedro Peggy Pekka Penelope Per Peter Petra Philip Philipp
Philippe Pia Pierre Pieter Piotr Pirjo Priya Rachel Radek Rafael Raffaele Rahul Rainer Raj Rajesh Ralf Ralph Ramon Raphael Raquel Raul Ravi Raymond Rebecca Regina Reinhard
Renata Renate Rene Ricardo Riccardo Richard Riitta Rita Robert Roberta Roberto Robin Rodrigo Roger Roland Rolf Roman Ronald Rosa Rose Rosemary Roxane Roy Ruben Rudolf Russell
Ruth Ryan Sabine Sabrina Salvatore Sam Samantha Samir Samuel Sandra Sandrine Sanjay Santiago Sara Sarah Sari Sean Sebastian Sebastien Sergei Sergio Shannon Sharon Shirley
Silke Silvia Simon Simona Simone Sofia Sofie Sonia Sonja Sophia Sophie Stefan Stefania Stefanie Stefano Steffen Stella Stephan Stephane Stephanie Stephen Steve Steven Stig
Susan Susana Susanne Sven Svetlana Sylvia Sylvie Takashi Tamara Tanja Tara Tatiana Teemu Teresa Terry Theo Theresa Therese Thierry Thomas Thorsten Tiago Tiina Tim Timo Timothy
Tobias Todd Tom Tomas Tomasz Tommy Toni Tony Torsten Tracy Tuomas Tyler Udo Ulrich Ulrike Ulla Ursula Ute Uwe Valentina Valentin Valeria Valerie Vanessa Vera Veronica
Veronika Veronique Victor Victoria Vijay Viktor Ville Vincent Vincenzo Viola Virginia Virginie Vivian Volker Waldemar Walter Wanda Wei Wendy Werner Wilhelm Willem William
Wojciech Wolfgang Xavier Yann Yannick Yasmin Yolanda Youssef Yuki Yusuf Yves Yvonne Zbigniew Zofia Zoe Zuzanna
`

export const FIRST_NAMES: readonly string[] = NAMES.trim().split(/\s+/)

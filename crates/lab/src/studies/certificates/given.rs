//! Certificates whose parts are drawn as a user's file says.

use roadwire_distributions::{Distributions, Values};
use roadwire_engine::{Limits, Message, decode_with, encode_to_vec};
use roadwire_layout::{Layout, Uper};
use roadwire_model::Value;
use roadwire_model::random::Rng;
use roadwire_papers::certificate_2017::Certificate;
use roadwire_peers::content::Schema;

use super::exchange::ROOM;
use super::generator::Generator;
use roadwire_measure::random::Random;

/// How often a certificate is drawn again of which no value was found.
const TRIES: usize = 100;

/// Draws certificates.
pub(super) type Draw = Box<dyn Fn(&mut Random) -> Certificate + Sync>;

/// The draw of a generator; `distribution` is the text of the user's file, for
/// [`Generator::Given`].
///
/// # Errors
/// A file that is missing or does not fit the certificate, or of which no certificates can be had.
pub(super) fn draw(generator: Generator, distribution: Option<&str>) -> Result<Draw, String> {
    if generator != Generator::Given {
        return Ok(Box::new(move |random| generator.certificate(random)));
    }
    let given = Given::read(distribution.ok_or("there is no file of distributions")?)?;
    // The draw itself cannot fail: a side with another certificate is found out here.
    let mut random = Random::new(1);
    (0..TRIES).try_for_each(|_| given.certificate(&mut random).map(drop))?;
    Ok(Box::new(move |random| {
        let drawn = (0..TRIES).find_map(|_| given.certificate(random).ok());
        drawn.unwrap_or_else(|| Generator::Given.certificate(random))
    }))
}

struct Given {
    values: Values<'static>,
    layout: &'static Layout,
}

impl Given {
    fn read(text: &str) -> Result<Given, String> {
        let (model, root) = Schema::Certificate2017.model()?;
        // Once in a run, and used to its end.
        let model = Box::leak(Box::new(model));
        let distributions = Distributions::read(text, model, root).map_err(|invalid| invalid.to_string())?;
        let layout = <Certificate as Message<Uper>>::layout();
        Ok(Given { values: Values::new(model, root, distributions), layout })
    }

    /// A certificate of the generator, in which the parts of the file are drawn anew.
    fn certificate(&self, random: &mut Random) -> Result<Certificate, String> {
        let base = Generator::Given.certificate(random);
        let mut octets = vec![0; ROOM];
        let length = Message::<Uper>::encode(&base, &mut octets).map_err(|error| error.to_string())?;
        let (octets, mut value) = (&octets[..length], Value::Unset);
        decode_with(self.layout, octets, &mut value, &Limits::for_input(octets), &mut ())
            .map_err(|error| error.to_string())?;
        let value = self.values.fill(&value, &mut Rng::new(random.next())).map_err(|unmet| unmet.to_string())?;
        let octets = encode_to_vec(self.layout, &value, ROOM).map_err(|error| error.to_string())?;
        let mut certificate = Certificate::default();
        Message::<Uper>::decode(&mut certificate, &octets).map_err(|error| error.to_string())?;
        Ok(certificate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "
        [[component]]
        path = 'version'
        value = 3
        [[component]]
        path = 'subjectInfo.subjectName'
        values = ['short', 'a name that is much longer']
    ";

    #[test]
    fn certificates_have_the_parts_of_the_file_and_otherwise_those_that_fit_the_paper() {
        let draw = draw(Generator::Given, Some(FILE)).unwrap();
        let certificates: Vec<Certificate> = {
            let mut random = Random::new(5);
            (0..50).map(|_| draw(&mut random)).collect()
        };
        assert!(certificates.iter().all(|one| one.version == 3));
        let names = |name: &str| certificates.iter().filter(|one| *one.subject_info.subject_name == *name).count();
        assert!(names("short") > 10 && names("a name that is much longer") > 10);
        // Fitted certificates have no reconstruction value.
        assert!(certificates.iter().all(|one| one.subject_attributes.reconstruction_value.is_none()));
        let mut random = Random::new(5);
        assert!((0..50).all(|at| draw(&mut random) == certificates[at]));
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused() {
        let error = |text| draw(Generator::Given, text).err().unwrap();
        assert!(error(Some("[[component]]\npath = 'versoin'\nvalue = 3")).contains("did you mean `version`?"));
        assert!(error(None).contains("no file"));
    }
}

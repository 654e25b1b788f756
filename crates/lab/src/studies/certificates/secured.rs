//! Secured messages with a random certificate inside, through the same two algorithms: the message
//! of today, which is IEEE 1609.2's with a CAM in it, and one around the certificate of Listing 1.
//! The paper proposes both as future work.

use roadwire_engine::Message;
use roadwire_layout::{Jer, RuleSet, Rules, Tls, Uper};
use roadwire_measure::random::Random;
use roadwire_messages::cam_2_3_1::Cam;
use roadwire_messages::ieee1609dot2_2017::Ieee1609Dot2Data;
use roadwire_messages::ts103097_1_2_1 as v2;
use roadwire_papers::certificate_2017::Certificate;
use roadwire_papers::secured_2017::{MessageSigner, Payload, SecuredMessage, SignatureEccPoint};
use roadwire_peers::content::Schema;
use roadwire_peers::content::today::{Content, Signer, envelope};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::binary::{from_binary, to_binary};
use super::codec::{Batch, Codec, InMemory, decode, encode, is_straight};
use super::codecs;
use super::exchange::{Draw, Experiment, ROOM};
use super::generator::Generator;

/// Which message is around the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Around {
    /// IEEE Std 1609.2 with its amendment of 2017, on which TS 103 097 V1.3.1 is built, with its
    /// own certificate.
    Today,
    /// After TS 103 097 V1.2.1 in ASN.1, with the certificate of Listing 1.
    Listing,
}

impl Around {
    /// In titles.
    pub(super) fn title(self) -> &'static str {
        match self {
            Around::Today => "secured messages of IEEE 1609.2 with a CAM",
            Around::Listing => "secured messages around the certificate of Listing 1",
        }
    }
}

/// Such messages in every encoding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Secured {
    /// Which ones.
    pub around: Around,
    /// The exchange.
    pub experiment: Experiment,
    /// The encodings in which the interpreter takes part in more than half of the messages, in
    /// either direction.
    pub interpreted: Vec<String>,
}

/// How many messages tell whether the interpreter takes part.
const ASKED: usize = 50;

/// The encodings in which the interpreter takes part in more than half of what is drawn.
pub(super) fn interpreted<M>(draw: Draw<'_, M>, codecs: &[Box<dyn Codec<M>>]) -> Vec<String> {
    let (mut random, mut output) = (Random::new(1), vec![0; ROOM]);
    let messages: Vec<M> = (0..ASKED).map(|_| draw(&mut random)).collect();
    let mut is_interpreted = |codec: &dyn Codec<M>| {
        let straight = messages.iter().map(|message| codec.is_straight(message, &mut output));
        2 * straight.filter(|both| *both == (true, true)).count() < ASKED
    };
    codecs.iter().filter(|codec| is_interpreted(codec.as_ref())).map(|codec| codec.name().to_owned()).collect()
}

/// The CAM inside: the typical one, in UPER.
pub(super) fn payload() -> Result<Vec<u8>, String> {
    let content = Content::find("cam-typical").ok_or("there is no typical CAM")?;
    let mut cam = Cam::default();
    Message::<Jer>::decode(&mut cam, content.jer().as_bytes()).map_err(|error| error.to_string())?;
    let mut output = vec![0; ROOM];
    let length = Message::<Uper>::encode(&cam, &mut output).map_err(|error| error.to_string())?;
    output.truncate(length);
    Ok(output)
}

/// Draws messages of today.
pub(super) fn today(payload: &[u8]) -> impl Fn(&mut Random) -> Ieee1609Dot2Data + Sync + use<> {
    let template = envelope(Schema::Cam231, Signer::Certificate, payload);
    move |random| {
        let mut value = template.clone();
        let signed = &mut value["content"]["signedData"];
        vary(&mut signed["signature"], random);
        vary(&mut signed["signer"], random);
        let permissions = signed["signer"]["certificate"][0]["toBeSigned"]["appPermissions"].as_array_mut();
        for permission in permissions.into_iter().flatten() {
            let length = 1 + random.below(9);
            permission["ssp"]["bitmapSsp"] = hex(random, length).into();
        }
        signed["tbsData"]["headerInfo"]["generationTime"] = (random.next() >> 14).into();
        read(&value)
    }
}

/// Draws messages around certificates of the fitted generator.
pub(super) fn listing(payload: &[u8]) -> impl Fn(&mut Random) -> SecuredMessage + Sync + use<> {
    let payload = digits(payload);
    move |random| {
        let certificate = Generator::Fitted.certificate(random);
        let points = ["x-coordinate-only", "compressed-y-0", "compressed-y-1"];
        let signature = json!({ "r": { points[random.below(3)]: hex(random, 32) }, "s": hex(random, 32) });
        read(&value(2, &written(&certificate), random.next() >> 14, 36, &payload, &signature))
    }
}

/// Draws each string of eight octets or more anew, and the form of each compressed point.
fn vary(value: &mut Value, random: &mut Random) {
    match value {
        Value::String(text) if text.len() >= 16 => *text = hex(random, text.len() / 2),
        Value::Array(all) => all.iter_mut().for_each(|one| vary(one, random)),
        Value::Object(fields) => {
            for name in ["compressed-y-0", "compressed-y-1"] {
                if let Some(point) = fields.remove(name) {
                    fields.insert(["compressed-y-0", "compressed-y-1"][random.below(2)].into(), point);
                    break;
                }
            }
            fields.values_mut().for_each(|one| vary(one, random));
        }
        _ => {}
    }
}

fn hex(random: &mut Random, octets: usize) -> String {
    (0..octets).map(|_| format!("{:02X}", random.below(256))).collect()
}

/// The message with a value; the default one where a value is none, which a test covers.
fn read<M: Message<Jer>>(value: &Value) -> M {
    let mut message = M::default();
    match message.decode(value.to_string().as_bytes()) {
        Ok(_) => message,
        Err(_) => M::default(),
    }
}

/// The value of a message.
fn written<M: Message<Jer>>(message: &M) -> Value {
    let mut output = vec![0; ROOM];
    let length = message.encode(&mut output).unwrap_or(0);
    serde_json::from_slice(&output[..length]).unwrap_or(Value::Null)
}

/// The codecs of today's message: all but Binary, which that standard has left.
pub(super) fn codecs_of_today() -> Vec<Box<dyn Codec<Ieee1609Dot2Data>>> {
    codecs::of_today()
}

/// The codecs of the message around Listing 1's certificate; Binary is the secured message of TS
/// 103 097 V1.2.1.
pub(super) fn codecs_of_listing() -> Vec<Box<dyn Codec<SecuredMessage>>> {
    let binary: Box<dyn Codec<SecuredMessage>> = Box::new(Binary);
    std::iter::once(binary).chain(codecs::of_listing()).collect()
}

/// The same message in the binary format; it is converted outside of the timed region.
struct Binary;

const NO_PLACE: &str = "one of the two types has no place for what the other has";

impl Codec<SecuredMessage> for Binary {
    fn rules(&self) -> Rules {
        Tls::RULES
    }

    fn encode(&self, message: &SecuredMessage, output: &mut [u8]) -> Result<(usize, u64), String> {
        encode::<Tls, _>(&to_message(message).ok_or(NO_PLACE)?, output)
    }

    fn decode(&self, octets: &[u8], into: &mut SecuredMessage) -> Result<u64, String> {
        let mut message = v2::SecuredMessage::default();
        let time = decode::<Tls, _>(octets, &mut message)?;
        *into = from_message(&message).ok_or(NO_PLACE)?;
        Ok(time)
    }

    fn batch<'c>(&'c self, messages: &'c [SecuredMessage]) -> Box<dyn Batch + 'c> {
        let messages: Vec<v2::SecuredMessage> = messages.iter().filter_map(to_message).collect();
        Box::new(InMemory::<Tls, _>::new(messages.into()))
    }

    fn is_straight(&self, message: &SecuredMessage, output: &mut [u8]) -> (bool, bool) {
        to_message(message).map_or((false, false), |message| is_straight::<Tls, _>(&message, output))
    }
}

/// The message in the types of V1.2.1. The two certificates have one value in two modules, which
/// JER carries over.
fn to_message(message: &SecuredMessage) -> Option<v2::SecuredMessage> {
    let header = &message.header;
    let MessageSigner::Certificate(_) = header.signer_info else { return None };
    let certificate: Certificate = read(&written(message)["header"]["signerInfo"]["certificate"]);
    let Payload::Signed(payload) = &message.payload else { return None };
    let fields = [
        v2::HeaderField::Signer_info(v2::SignerInfo::Certificate(to_binary(&certificate)?)),
        v2::HeaderField::Generation_time(header.generation_time),
        v2::HeaderField::Its_aid(u64::try_from(header.its_aid).ok()?),
    ];
    let signature = v2::EcdsaSignature {
        r: match message.signature.r {
            SignatureEccPoint::XCoordinateOnly(x) => v2::EccPoint::X_coordinate_only(x),
            SignatureEccPoint::Compressed_Y_0(x) => v2::EccPoint::Compressed_lsb_y_0(x),
            SignatureEccPoint::Compressed_Y_1(x) => v2::EccPoint::Compressed_lsb_y_1(x),
        },
        s: message.signature.s,
    };
    let trailer = [v2::TrailerField::Signature(v2::Signature::Ecdsa_nistp256_with_sha256(signature))];
    Some(v2::SecuredMessage {
        protocol_version: message.protocol_version,
        header_fields: fields.into_iter().collect(),
        payload_field: v2::Payload::Signed(payload.clone()),
        trailer_fields: trailer.into_iter().collect(),
    })
}

fn from_message(message: &v2::SecuredMessage) -> Option<SecuredMessage> {
    let [
        v2::HeaderField::Signer_info(v2::SignerInfo::Certificate(certificate)),
        v2::HeaderField::Generation_time(time),
        v2::HeaderField::Its_aid(its_aid),
    ] = message.header_fields.as_slice()
    else {
        return None;
    };
    let v2::Payload::Signed(payload) = &message.payload_field else { return None };
    let [v2::TrailerField::Signature(v2::Signature::Ecdsa_nistp256_with_sha256(signature))] =
        message.trailer_fields.as_slice()
    else {
        return None;
    };
    let (name, x) = match signature.r {
        v2::EccPoint::X_coordinate_only(x) => ("x-coordinate-only", x),
        v2::EccPoint::Compressed_lsb_y_0(x) => ("compressed-y-0", x),
        v2::EccPoint::Compressed_lsb_y_1(x) => ("compressed-y-1", x),
        v2::EccPoint::Uncompressed(_) => return None,
    };
    let certificate = written(&from_binary(certificate)?);
    let signature = json!({ "r": { name: digits(&x) }, "s": digits(&signature.s) });
    Some(read(&value(message.protocol_version, &certificate, *time, *its_aid, &digits(&payload.0), &signature)))
}

/// A message around a certificate of Listing 1, as JER.
fn value(version: u8, certificate: &Value, time: u64, its_aid: u64, payload: &str, signature: &Value) -> Value {
    json!({
        "protocolVersion": version,
        "header": { "signerInfo": { "certificate": certificate }, "generationTime": time, "itsAid": its_aid },
        "payload": { "signed": payload },
        "signature": signature
    })
}

fn digits(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02X}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_vary_and_are_values_of_their_schemas() {
        let payload = payload().unwrap();
        let mut random = Random::new(1);
        let (today, listing) = (today(&payload), listing(&payload));
        let (one, other) = (today(&mut random), today(&mut random));
        assert!(one != other && one != Ieee1609Dot2Data::default() && other != Ieee1609Dot2Data::default());
        let (one, other) = (listing(&mut random), listing(&mut random));
        assert!(one != other && one != SecuredMessage::default() && other != SecuredMessage::default());
        assert_eq!(from_message(&to_message(&one).unwrap()), Some(one));
    }

    #[test]
    fn what_is_sent_is_received_in_every_encoding() {
        use crate::studies::certificates::exchange::{Order, Plan, run};
        let (payload, generator) = (payload().unwrap(), Generator::Fitted);
        let plan = Plan { generator, order: Order::Random, certificates: 50, repetition: 0, seed: 5 };
        let (today, _) = run(plan, &today(&payload), &codecs_of_today(), None, &mut |_| {}).unwrap();
        let (listing, _) = run(plan, &listing(&payload), &codecs_of_listing(), None, &mut |_| {}).unwrap();
        assert!(today.rows.len() >= 9 && listing.rows.len() >= 10);
        for row in today.rows.iter().chain(&listing.rows) {
            assert_eq!((row.failures, &row.failure), (0, &None), "{}", row.rules);
            assert_eq!(row.decode.as_ref().map(|spread| spread.count), Some(50), "{}", row.rules);
        }
    }

    #[test]
    fn nine_encodings_have_the_message_of_today_and_ten_that_of_the_listing() {
        let names = |rules: Vec<Rules>| rules.iter().map(|rules| rules.name()).take(10).collect::<Vec<_>>().join(" ");
        let today = names(codecs_of_today().iter().map(|codec| codec.rules()).take(9).collect());
        assert_eq!(today, "aper uper der ber oer coer xer cxer exer");
        let listing = names(codecs_of_listing().iter().map(|codec| codec.rules()).collect());
        assert_eq!(listing, "tls aper uper der ber oer coer xer cxer exer");
    }
}

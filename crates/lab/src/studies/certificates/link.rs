//! The sender and the receiver of the paper's algorithms as two programs, on one computer or on
//! two.
//!
//! Each says what it is about to run, and continues only if the other runs the same. All
//! experiments go through one connection. After each, both have the counters of the other, so that
//! both write a whole report.

use std::io::{self, BufReader, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::exchange::ROOM;

/// Which part this program has in an exchange between two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Station {
    /// It connects to a receiver, `HOST:PORT`.
    Sender(String),
    /// It listens for a sender at this port.
    Receiver(u16),
}

/// How long a sender tries to connect.
const CONNECTING: Duration = Duration::from_secs(5);
/// How long a receiver listens for a sender.
const WAITING: Duration = Duration::from_secs(120);
/// How long a side may be silent.
const SILENCE: Duration = Duration::from_secs(60);
/// The first octets of each side.
const MAGIC: [u8; 8] = *b"roadwire";
/// The longest text of counters, octets: about 20 000 single records.
const LONGEST: usize = 1 << 26;
/// The longest text of a plan, octets.
const LONGEST_PLAN: usize = 1 << 16;

/// The plans that both sides have to agree on, and the names of the sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plans {
    /// The version of roadwire.
    pub(super) version: String,
    /// The seed of all draws.
    pub(super) seed: u64,
    /// The numbers of certificates.
    pub(super) certificates: Vec<u64>,
    /// The names of the codecs, in their order.
    pub(super) codecs: Vec<String>,
    /// The machine.
    pub(super) machine: String,
}

impl Plans {
    /// Refuses plans of the other side that differ, and names the difference.
    fn agree(&self, other: &Plans) -> Result<(), String> {
        let differs = |what: &str, here: String, there: String| {
            Err(format!("the other side has another {what}: {there}, this one {here}"))
        };
        if self.version != other.version {
            return differs("version", self.version.clone(), other.version.clone());
        }
        if self.seed != other.seed {
            return differs("seed (--seed)", self.seed.to_string(), other.seed.to_string());
        }
        if self.certificates != other.certificates {
            let list = |plans: &Plans| plans.certificates.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
            return differs("number of certificates (--certificates, --quick)", list(self), list(other));
        }
        if self.codecs != other.codecs {
            return differs("set of encodings", self.codecs.join(" "), other.codecs.join(" "));
        }
        Ok(())
    }
}

/// The connection to the other side.
pub(super) struct Link {
    stream: TcpStream,
    /// Input from the other side, which sends more before all is read.
    pub(super) reader: BufReader<TcpStream>,
    pub(super) is_sender: bool,
    /// The machine of the other side.
    pub(super) other: String,
}

impl Link {
    /// Connects, or accepts a connection, and compares the plans.
    ///
    /// # Errors
    /// No program listens or connects, or the other side is not this program with the same plans.
    pub(super) fn open(station: &Station, plans: &Plans) -> Result<Link, String> {
        match station {
            Station::Sender(address) => Link::agreed(connect(address, CONNECTING)?, true, plans),
            Station::Receiver(port) => Link::agreed(accept(&listen(*port)?, WAITING)?, false, plans),
        }
    }

    fn agreed(stream: TcpStream, is_sender: bool, plans: &Plans) -> Result<Link, String> {
        // Before this, a side that is lost would be waited for without an end.
        let prepared = stream.set_read_timeout(Some(SILENCE)).and(stream.set_write_timeout(Some(SILENCE)));
        prepared.map_err(|error| error.to_string())?;
        let reader = BufReader::with_capacity(ROOM, stream.try_clone().map_err(|error| error.to_string())?);
        let mut link = Link { stream, reader, is_sender, other: String::new() };
        let mut magic = [0; MAGIC.len()];
        let greeted = link.stream.write_all(&MAGIC).and_then(|()| link.write(plans));
        greeted.and_then(|()| link.reader.read_exact(&mut magic)).map_err(|error| fault(&error))?;
        if magic != MAGIC {
            return Err("the other side is not `roadwire study certificates`".into());
        }
        let other: Plans = link.read_within(LONGEST_PLAN).map_err(|error| fault(&error))?;
        plans.agree(&other)?;
        link.other = other.machine;
        Ok(link)
    }

    /// The connection, to send an experiment's encodings.
    pub(super) fn stream(&self) -> io::Result<TcpStream> {
        self.stream.try_clone()
    }

    /// Gives the other side this one's half of a result, and returns the other half.
    pub(super) fn swap<T: Serialize + DeserializeOwned>(&mut self, half: &T) -> io::Result<T> {
        // One after the other: both halves may be longer than what the system holds for a
        // connection.
        if self.is_sender {
            self.write(half)?;
            return self.read_within(LONGEST);
        }
        let other = self.read_within(LONGEST)?;
        self.write(half)?;
        Ok(other)
    }

    fn write<T: Serialize>(&mut self, value: &T) -> io::Result<()> {
        let text = serde_json::to_vec(value)?;
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        self.stream.write_all(&length.to_le_bytes())?;
        self.stream.write_all(&text)
    }

    fn read_within<T: DeserializeOwned>(&mut self, longest: usize) -> io::Result<T> {
        let mut length = [0; 4];
        self.reader.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > longest {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a text of {length} octets")));
        }
        // Memory for what came, not for what was announced.
        let mut text = Vec::new();
        self.reader.by_ref().take(length as u64).read_to_end(&mut text)?;
        if text.len() < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(serde_json::from_slice(&text)?)
    }
}

/// Describes the failure of a connection.
pub(super) fn fault(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!("the other side was silent for {} s", SILENCE.as_secs())
        }
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => "the other side ended the connection".into(),
        _ => error.to_string(),
    }
}

/// Tries all addresses of a host until one answers or the time is over.
fn connect(address: &str, patience: Duration) -> Result<TcpStream, String> {
    let told = |why: &dyn std::fmt::Display| format!("{address}: {why}");
    let addresses: Vec<_> = address.to_socket_addrs().map_err(|error| told(&error))?.collect();
    let begin = Instant::now();
    let mut last = "it has no address".to_owned();
    loop {
        for one in &addresses {
            let left = patience.saturating_sub(begin.elapsed()).max(Duration::from_millis(1));
            match TcpStream::connect_timeout(one, left) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error.to_string(),
            }
        }
        if begin.elapsed() >= patience || addresses.is_empty() {
            return Err(told(&format!("no receiver answers (`roadwire study certificates --receive PORT`): {last}")));
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// On all of this machine's addresses, of both versions of IP where it has both.
fn listen(port: u16) -> Result<TcpListener, String> {
    TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))
        .or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))
        .map_err(|error| format!("port {port}: {error}"))
}

fn accept(listener: &TcpListener, patience: Duration) -> Result<TcpStream, String> {
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    let begin = Instant::now();
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).map_err(|error| error.to_string())?;
                return Ok(stream);
            }
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error.to_string()),
            Err(_) if begin.elapsed() >= patience => {
                return Err(format!("no sender connected within {} s", patience.as_secs()));
            }
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plans(seed: u64) -> Plans {
        let codecs = vec!["uper".into()];
        Plans { version: "1".into(), seed, certificates: vec![10], codecs, machine: format!("machine {seed}") }
    }

    /// The receiver's answer to a sender that does this.
    fn received(other: impl FnOnce(TcpStream) + Send) -> Result<String, String> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        thread::scope(|scope| {
            scope.spawn(move || other(TcpStream::connect(address).unwrap()));
            let stream = accept(&listener, Duration::from_secs(10))?;
            Link::agreed(stream, false, &plans(1)).map(|link| link.other)
        })
    }

    /// The answers of both sides.
    fn both(sender: &Plans) -> (Result<String, String>, Result<String, String>) {
        let mut sent = Err(String::new());
        let sent_to = &mut sent;
        let received = received(move |stream| *sent_to = Link::agreed(stream, true, sender).map(|link| link.other));
        (sent, received)
    }

    #[test]
    fn both_sides_know_each_other_or_say_what_differs() {
        assert_eq!(both(&plans(1)), (Ok("machine 1".into()), Ok("machine 1".into())));
        let (sent, received) = both(&plans(2));
        assert_eq!(sent.unwrap_err(), "the other side has another seed (--seed): 1, this one 2");
        assert_eq!(received.unwrap_err(), "the other side has another seed (--seed): 2, this one 1");
        for (change, what) in [
            (Plans { version: "2".into(), ..plans(1) }, "version: 2, this one 1"),
            (Plans { certificates: vec![10, 20], ..plans(1) }, "(--certificates, --quick): 10 20, this one 10"),
            (Plans { codecs: vec!["coer".into()], ..plans(1) }, "set of encodings: coer, this one uper"),
        ] {
            assert!(both(&change).1.unwrap_err().ends_with(what), "{what}");
        }
    }

    /// Writes this, ends its side, and reads until the receiver ends as well: otherwise the system
    /// may drop what was written.
    fn says(octets: &[u8]) -> Result<String, String> {
        received(|mut stream| {
            stream.write_all(octets).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            _ = stream.read_to_end(&mut Vec::new());
        })
    }

    #[test]
    fn strangers_and_broken_connections_are_told_apart() {
        let stranger = "the other side is not `roadwire study certificates`";
        assert_eq!(says(b"GET / HTTP/1.1\r\n\r\n").unwrap_err(), stranger);
        let ended = "the other side ended the connection";
        assert_eq!([says(b""), says(b"roadwire\x20\0\0\0{")].map(Result::unwrap_err), [ended; 2]);
        assert_eq!(says(b"roadwire\xff\xff\xff\xff").unwrap_err(), "a text of 4294967295 octets");
    }

    #[test]
    fn nobody_is_waited_for_without_an_end() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let why = accept(&listener, Duration::ZERO).unwrap_err();
        assert_eq!(why, "no sender connected within 0 s");
        drop(listener);
        let why = connect(&address, Duration::ZERO).unwrap_err();
        assert!(why.starts_with(&format!("{address}: no receiver answers")), "{why}");
        assert!(connect("nowhere", Duration::ZERO).unwrap_err().starts_with("nowhere: "));
    }
}

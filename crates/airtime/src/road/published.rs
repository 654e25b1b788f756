//! A published simulation of the same road, to hold ours against.

/// The fate of frames on one road, by a simulation of others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Stations a kilometre.
    pub per_km: u32,
    /// Messages of each station a second.
    pub hertz: f64,
    /// Octets of the PSDU: theirs, and 30 of MAC header and frame check sequence.
    pub octets: u32,
    /// The packet reception ratio every 25 m from 0 to 500 m, 0 to 1.
    pub reception: [f64; 21],
}

/// The results of Sepulcre et al. by simulation for 6 Mbit/s and 23 dBm: the points of their
/// figures, as numbers in the files that they published with the paper (`PDR_….fig` of
/// github.com/msepulcre/IEEE802.11p-model; IEEE Trans. Veh. Technol. 2021, doi
/// 10.1109/TVT.2021.3124708). The same road is [`Road::sepulcre`](super::Road::sepulcre).
#[rustfmt::skip]
pub const SEPULCRE: [Published; 4] = [
    Published { per_km: 60, hertz: 10.0, octets: 220, reception: [
        0.9833, 0.9822, 0.9763, 0.9710, 0.9627, 0.9469, 0.9278, 0.9003, 0.8519, 0.7670, 0.6281, 0.4581, 0.2971, 0.1742,
        0.0906, 0.0438, 0.0195, 0.0081, 0.0032, 0.0012, 0.0006] },
    Published { per_km: 60, hertz: 10.0, octets: 530, reception: [
        0.9667, 0.9629, 0.9519, 0.9389, 0.9197, 0.8867, 0.8464, 0.7956, 0.7251, 0.6317, 0.5032, 0.3573, 0.2287, 0.1312,
        0.0679, 0.0324, 0.0142, 0.0058, 0.0024, 0.0008, 0.0004] },
    Published { per_km: 120, hertz: 10.0, octets: 530, reception: [
        0.9368, 0.9289, 0.9094, 0.8831, 0.8405, 0.7803, 0.7015, 0.6186, 0.5274, 0.4245, 0.3187, 0.2175, 0.1327, 0.0729,
        0.0361, 0.0167, 0.0072, 0.0029, 0.0010, 0.0004, 0.0002] },
    Published { per_km: 120, hertz: 25.0, octets: 220, reception: [
        0.9194, 0.9077, 0.8850, 0.8568, 0.8111, 0.7460, 0.6619, 0.5735, 0.4809, 0.3807, 0.2814, 0.1904, 0.1142, 0.0621,
        0.0306, 0.0139, 0.0059, 0.0023, 0.0009, 0.0003, 0.0002] },
];

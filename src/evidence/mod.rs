//! Is a quote really on the page? A page's bytes are read once, folded once, and searched; the answer is a
//! [`Verdict`] that says where the words stand or how the page differs. Snapshots keep the text that was
//! checked, so that every quote can be checked again.

//! A server of one's own, a second one on the same data, and the page that they give.

use super::*;
use crate::args::Args;

fn premises(data: &Path) -> Premises {
    let args = Args {
        data: Some(data.to_owned()),
        set: vec![("listen".to_owned(), "127.0.0.1:0".to_owned())],
        ..Args::default()
    };
    Premises::load(&args).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_serves_the_data_and_the_second_shows_the_same_server() {
    let data = tempfile::tempdir().unwrap();
    let premises = premises(data.path());
    let first = Home::open(&premises).await.unwrap();
    let second = Home::open(&premises).await.unwrap();
    assert!(first.own.is_some() && second.own.is_none());
    assert_eq!(first.client().url(), second.client().url());
    second.close().await;
    first.client().health().await.unwrap();
    first.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_data_is_free_again_when_its_server_closed() {
    let data = tempfile::tempdir().unwrap();
    let premises = premises(data.path());
    Home::open(&premises).await.unwrap().close().await;
    let again = Home::open(&premises).await.unwrap();
    assert!(again.own.is_some());
    again.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pairing_address_leads_to_the_server_and_is_new_each_time() {
    let data = tempfile::tempdir().unwrap();
    let home = Home::open(&premises(data.path())).await.unwrap();
    let one = pairing_url(home.client()).await.unwrap();
    let other = pairing_url(home.client()).await.unwrap();
    let begin = format!("{}/pair?code=", home.client().url());
    assert!(one.starts_with(&begin) && one != other, "{one}");
    home.close().await;
}

use openapi::apis::configuration::{ApiKey, Configuration};
use openapi::apis::{tweets_api, users_api, Error};
use openapi::models::UnlikeRequest;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base, key, liked] = &arguments[..] else { return Err("BASE KEY LIKED".into()) };
    let mut configuration = Configuration::new();
    configuration.base_path = base.clone();
    configuration.api_key = Some(ApiKey { prefix: None, key: key.clone() });

    let page = users_api::get_user_last_tweets(&configuration, Some("counted"), None, None, None, None, Some(1)).await?;
    let cursor = page.next_cursor.as_deref();
    let second = users_api::get_user_last_tweets(&configuration, Some("counted"), None, None, None, cursor, Some(1)).await?;
    let views: Vec<i64> = page.tweets.iter().chain(&second.tweets).map(|tweet| tweet.view_count).collect();
    let error = match tweets_api::get_tweet_replies(&configuration, "404", None, None).await {
        Err(Error::ResponseError(refused)) => serde_json::from_str::<serde_json::Value>(&refused.content)?["error"].clone(),
        _ => return Err("no error".into()),
    };
    let unliked = tweets_api::unlike_tweet(&configuration, UnlikeRequest::new(liked.clone())).await?;
    println!(
        "{}",
        serde_json::json!({
            "views": views,
            "more": [page.has_next_page, second.has_next_page],
            "error": error,
            "unliked": unliked.success,
        })
    );
    Ok(())
}

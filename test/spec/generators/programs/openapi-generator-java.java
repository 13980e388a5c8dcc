import com.google.gson.Gson;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.TweetsApi;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.model.LastTweetsPage;
import org.openapitools.client.model.UnlikeRequest;

public class Main {
  public static void main(String[] args) throws ApiException {
    ApiClient client = new ApiClient();
    client.setBasePath(args[0]);
    client.setApiKey(args[1]);
    UsersApi users = new UsersApi(client);
    TweetsApi tweets = new TweetsApi(client);

    LastTweetsPage page = users.getUserLastTweets("counted", null, null, null, null, 1);
    LastTweetsPage second = users.getUserLastTweets("counted", null, null, null, page.getNextCursor(), 1);
    List<Long> views = new ArrayList<>();
    page.getTweets().forEach(tweet -> views.add(tweet.getViewCount()));
    second.getTweets().forEach(tweet -> views.add(tweet.getViewCount()));
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("views", views);
    told.put("more", List.of(page.getHasNextPage(), second.getHasNextPage()));
    try {
      tweets.getTweetReplies("404", null, null);
    } catch (ApiException refused) {
      told.put("error", JsonParser.parseString(refused.getResponseBody()).getAsJsonObject().get("error").getAsString());
    }
    told.put("unliked", tweets.unlikeTweet(new UnlikeRequest().tweetId(args[2])).getSuccess());
    System.out.println(new Gson().toJson(told));
  }
}

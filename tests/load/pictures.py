"""What the picture of an answer costs, which is drawn when the answer is sent."""

from datetime import timedelta

from machjudge.judge.pictures import drawing_by
from machjudge.map_files.folders import Atlas
from tests.load.game import LoadedJudge, handled, opened
from tests.load.measure import Figure, seconds_of


def of_answer(judge: LoadedJudge, pydip: float) -> Figure:
    """The picture of ten orders, drawn for the first time; the same orders again cost nothing."""
    with opened(judge) as application:
        handled(application, judge.order_mail(password=not judge.has_tokens()))
        now = application.clock()
        letter = application.sender.bag.claim(now, now + timedelta(minutes=1))
        assert letter is not None
        outgoing, atlas = letter.outgoing, Atlas(application.settings.map_folders)
        seconds = seconds_of(lambda: drawing_by(atlas)(outgoing))
        application.sender.bag.later(letter.id, now, "drawn only", counts=False)
        application.sender.send_due()
    return Figure(
        "the picture of its answer, where the orders are new, / pydip",
        seconds / pydip,
        "",
        remark=f"{1000 * seconds:.0f} ms",
    )
